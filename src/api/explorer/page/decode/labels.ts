import { feltText, isFelt } from "../abi/felt.ts";
import { type Entry, objectIn } from "../abi/read-entry.ts";

/** Names that the user gave to addresses and hashes, by felt in lower case without leading zeros. */
export type Labels = ReadonlyMap<string, string>;

/** Labels of an import, with the entries that were skipped. */
export interface ImportedLabels {
  readonly labels: Labels;
  /** Texts for the user; empty if everything was imported. */
  readonly problems: readonly string[];
}

/** Limits of an import: characters of the document, labels, characters of a label. */
const MAX_TEXT = 4_000_000;
const MAX_LABELS = 20_000;
/** Maximum length of a label in characters. Longer text that the user enters is cut; an import skips it. */
export const MAX_LABEL = 60;
const MAX_PROBLEMS = 10;

/** Returns the JSON text of exported labels, sorted by address: the form that {@link labelsOf} reads. */
export function labelsText(labels: Labels): string {
  const sorted = [...labels].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `${JSON.stringify({ labels: Object.fromEntries(sorted) }, null, 2)}\n`;
}

/**
 * Reads the document of an export: `{"labels": {"0x1": "name"}}`, or the object inside alone. Never throws: `problems`
 * names what was skipped.
 */
export function labelsOf(text: string): ImportedLabels {
  const document = parsed(text);
  if (document === undefined) {
    return { labels: new Map(), problems: ['Expected JSON: {"labels": {"0x1": "name"}}.'] };
  }
  const inner = objectIn(document["labels"]);
  const entries = Object.entries(document["labels"] === undefined ? document : inner);
  const labels = new Map<string, string>();
  const problems: string[] = [];
  for (const [felt, value] of entries) {
    const name = typeof value === "string" ? value.trim() : "";
    const isUsable = isFelt(felt) && name !== "" && name.length <= MAX_LABEL;
    if (isUsable && labels.size < MAX_LABELS) labels.set(feltText(felt), name);
    else {
      const shown = felt.slice(0, 80);
      problems.push(
        isUsable
          ? `${shown} is beyond the limit of ${MAX_LABELS} labels.`
          : `${shown}: expected an address or hash in hex, with a label of 1 to ${MAX_LABEL} characters.`,
      );
    }
    if (problems.length > MAX_PROBLEMS) break;
  }
  return { labels, problems };
}

function parsed(text: string): Entry | undefined {
  if (text.length > MAX_TEXT) return undefined;
  try {
    const document: unknown = JSON.parse(text);
    const isObject = typeof document === "object" && document !== null && !Array.isArray(document);
    return isObject ? objectIn(document) : undefined;
  } catch {
    return undefined;
  }
}
