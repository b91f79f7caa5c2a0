import type { ListedObject } from "./types.ts";

/** A page of a listing. */
export interface ListedPage {
  readonly objects: readonly ListedObject[];
  /** Names the next page; `undefined`: this is the last one. */
  readonly next: string | undefined;
}

/** Most characters of a token. */
const MAX_TOKEN = 8_192;

/** Where a listing has begun. */
const MAX_HEAD = 1_024;

/** Keys as this program makes them; others in the bucket are somebody else's. */
const OWN_KEY = /^[A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)*$/;
const DOTS = /(^|\/)\.{1,2}(\/|$)/;

/** Whether a key is one that this program makes: what follows from it is no other place than it says. */
export function isOwnKey(key: string): boolean {
  return OWN_KEY.test(key) && !DOTS.test(key);
}

/**
 * Reads a page of ListObjectsV2, in time that its length bounds: what comes from a store is not believed.
 * Source: Amazon S3 API Reference, "ListObjectsV2", response syntax.
 *
 * @param prefix - that all keys have
 * @param after - that all keys are behind
 * @returns `undefined` when it is none, or not in the order of its keys
 */
export function readListing(text: string, prefix: string, after: string): ListedPage | undefined {
  const head = text.slice(0, MAX_HEAD);
  if (!head.includes("<ListBucketResult")) return undefined;
  if (!text.trimEnd().endsWith("</ListBucketResult>")) return undefined;
  const objects: ListedObject[] = [];
  let last = after;
  for (let at = text.indexOf(OPEN); at !== -1;) {
    const end = text.indexOf(CLOSE, at);
    if (end === -1) return undefined;
    const entry = text.slice(at + OPEN.length, end);
    const key = unescaped(textIn(entry, "Key"));
    const size = textIn(entry, "Size") ?? "";
    if (key === undefined || !key.startsWith(prefix) || !/^\d{1,15}$/.test(size)) return undefined;
    if (isOwnKey(key)) {
      if (key <= last) return undefined;
      last = key;
      objects.push({ key, sizeBytes: Number(size) });
    }
    at = text.indexOf(OPEN, end);
  }
  const isTruncated = textIn(text, "IsTruncated");
  if (isTruncated === "false") return { objects, next: undefined };
  const next = unescaped(textIn(text, "NextContinuationToken"));
  const isToken = next !== undefined && next !== "" && next.length <= MAX_TOKEN;
  return isTruncated === "true" && isToken ? { objects, next } : undefined;
}

const OPEN = "<Contents>";
const CLOSE = "</Contents>";

/** What stands in the first element of a name. */
function textIn(xml: string, name: string): string | undefined {
  const open = `<${name}>`;
  const from = xml.indexOf(open);
  const to = from === -1 ? -1 : xml.indexOf(`</${name}>`, from);
  return to === -1 ? undefined : xml.slice(from + open.length, to);
}

function unescaped(text: string | undefined): string | undefined {
  return text?.replaceAll(/&(?:quot|apos|lt|gt|amp);/g, (name) => ENTITIES[name] ?? name);
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&quot;": '"',
  "&apos;": "'",
  "&lt;": "<",
  "&gt;": ">",
  "&amp;": "&",
};
