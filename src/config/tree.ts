import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } from "yaml";
import { ConfigError, type ConfigIssue } from "#errors/index.ts";

/** A YAML value with the place where it stands; line 0 marks values of an override. */
export type ConfigNode = ScalarNode | MapNode | ListNode;

/** Text, number, boolean or null. Integers are `bigint`; `source` is the text as written. */
export interface ScalarNode {
  readonly kind: "scalar";
  readonly line: number;
  readonly value: unknown;
  readonly source: string;
}

/** A mapping; keys are the texts as written. */
export interface MapNode {
  readonly kind: "map";
  readonly line: number;
  readonly entries: ReadonlyMap<string, MapEntry>;
}

/** One member of a mapping; `line` is the line of its key. */
export interface MapEntry {
  readonly line: number;
  readonly node: ConfigNode;
}

/** A sequence. */
export interface ListNode {
  readonly kind: "list";
  readonly line: number;
  readonly items: readonly ConfigNode[];
}

/** Deepest nesting of a configuration, aliases followed. */
const MAX_DEPTH = 32;
/** Most values of a configuration, aliases followed. */
const MAX_NODES = 1_000_000;
/** Most uses of aliases: bounds what a small file can unfold to. */
const MAX_ALIASES = 1000;

interface Conversion {
  readonly document: Document;
  readonly lineOf: (offset: number | undefined) => number;
  readonly issues: ConfigIssue[];
  nodes: number;
  aliases: number;
}

function convertNode(node: unknown, line: number, depth: number, run: Conversion): ConfigNode {
  const nothing: ScalarNode = { kind: "scalar", line, value: null, source: "" };
  if (isAlias(node)) run.aliases++;
  if (depth > MAX_DEPTH || ++run.nodes > MAX_NODES || run.aliases > MAX_ALIASES) {
    if (run.issues.length === 0) {
      run.issues.push({ path: "", line, message: "nests too deep or unfolds to too much" });
    }
    return nothing;
  }
  if (isAlias(node)) {
    return convertNode(node.resolve(run.document), run.lineOf(node.range?.[0]), depth + 1, run);
  }
  if (isScalar(node)) {
    const at = run.lineOf(node.range?.[0]) || line;
    return { kind: "scalar", line: at, value: node.value, source: node.source ?? "" };
  }
  if (isSeq(node)) {
    const at = run.lineOf(node.range?.[0]) || line;
    return {
      kind: "list",
      line: at,
      items: node.items.map((item) => convertNode(item, at, depth + 1, run)),
    };
  }
  if (!isMap(node)) return nothing;
  const entries = new Map<string, MapEntry>();
  for (const { key, value } of node.items) {
    const keyLine = (isScalar(key) && run.lineOf(key.range?.[0])) || line;
    // The text as written: `0x1` and `0.13` are names here, not numbers.
    const name = isScalar(key) ? (key.source ?? String(key.value)) : String(key);
    entries.set(name, { line: keyLine, node: convertNode(value, keyLine, depth + 1, run) });
  }
  return { kind: "map", line: run.lineOf(node.range?.[0]) || line, entries };
}

/**
 * Parses YAML text.
 *
 * Integers are exact (`bigint`), repeated keys are refused.
 *
 * @param lines - false for values that stand in no file: all lines are then 0
 * @throws {ConfigError} with an issue per syntax error
 */
export function parseConfigTree(text: string, lines = true): ConfigNode {
  refuseEndlessDigits(text, lines);
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { intAsBigInt: true, lineCounter, prettyErrors: false });
  const lineOf = (offset: number | undefined): number =>
    lines && offset !== undefined ? lineCounter.linePos(offset).line : 0;
  const issues: ConfigIssue[] = document.errors.map((error) => ({
    path: "",
    line: lineOf(error.pos[0]),
    message: error.message,
  }));
  const run: Conversion = { document, lineOf, issues, nodes: 0, aliases: 0 };
  const tree = convertNode(document.contents, lines ? 1 : 0, 0, run);
  if (issues.length > 0) throw new ConfigError("not valid YAML", issues);
  return tree;
}

/** The time to read digits as `bigint` grows with their square. */
const ENDLESS_DIGITS = /\d{1025}/;

/** @throws {ConfigError} at the first number of more than 1024 digits */
function refuseEndlessDigits(text: string, lines: boolean): void {
  const at = ENDLESS_DIGITS.exec(text)?.index;
  if (at === undefined) return;
  const line = lines ? text.slice(0, at).split("\n").length : 0;
  const message = `expected numbers of at most 1024 digits, got ${text.slice(at, at + 24)}…`;
  throw new ConfigError("not valid YAML", [{ path: "", line, message }]);
}

/**
 * `tree` with `value` in the place of the value at `path`; missing mappings are added.
 *
 * A scalar or list on the way is replaced by a mapping.
 */
export function withValueAt(
  tree: ConfigNode,
  path: readonly string[],
  value: ConfigNode,
): ConfigNode {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  const entries = new Map(tree.kind === "map" ? tree.entries : []);
  const present = entries.get(name);
  const empty: MapNode = { kind: "map", line: 0, entries: new Map() };
  entries.set(name, {
    line: rest.length === 0 ? 0 : (present?.line ?? 0),
    node: withValueAt(present?.node ?? empty, rest, value),
  });
  return { kind: "map", line: tree.line, entries };
}
