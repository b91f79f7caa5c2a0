import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
} from "yaml";
import { ConfigError, type ConfigIssue } from "#base/errors/index.ts";
import { IssueList } from "./issue-list.ts";
import { below, type ConfigNode, type MapEntry, type ScalarNode } from "./tree.ts";

/** Deepest nesting of a configuration, aliases followed. */
const MAX_DEPTH = 32;
/** Most values of a configuration, aliases followed. */
const MAX_NODES = 1_000_000;
/** Most uses of aliases: bounds what a small file can unfold to. */
const MAX_ALIASES = 1000;
const TOO_MUCH = "nests too deep or unfolds to too much";

/** Messages of the parser that would not help who wrote the file. */
const MESSAGES: Readonly<Record<string, string>> = {
  MULTIPLE_DOCS: "expected one document, but `---` begins another",
};

interface Conversion {
  readonly lineOf: (offset: number | undefined) => number;
  /** What is wrong, but leaves a tree to look at further. */
  readonly issues: IssueList;
  /** Nodes by their anchors. The parser would look through the whole document for each alias. */
  readonly anchors: Map<string, Node>;
  /** How many aliases lead to what is converted now. */
  following: number;
  nodes: number;
  aliases: number;
  /** A limit was passed; the tree is not whole. */
  isCut: boolean;
}

interface Place {
  readonly path: string;
  readonly line: number;
  readonly depth: number;
}

function convertNode(node: unknown, place: Place, run: Conversion): ConfigNode {
  const { path, line, depth } = place;
  const nothing: ScalarNode = { kind: "scalar", line, value: null, source: "" };
  if (isAlias(node)) run.aliases++;
  if (run.isCut || depth > MAX_DEPTH || ++run.nodes > MAX_NODES || run.aliases > MAX_ALIASES) {
    // What follows would only be more of the same.
    if (!run.isCut) run.issues.add("", line, TOO_MUCH);
    run.isCut = true;
    return nothing;
  }
  if (isAlias(node)) {
    const at = run.lineOf(node.range?.[0]) || line;
    const target = run.anchors.get(node.source);
    if (target === undefined) {
      run.issues.add(path, at, `the alias *${node.source} has no anchor before it`);
      return nothing;
    }
    run.following++;
    const converted = convertNode(target, { path, line: at, depth: depth + 1 }, run);
    run.following--;
    return converted;
  }
  if (!isScalar(node) && !isSeq(node) && !isMap(node)) return nothing;
  const at = run.lineOf(node.range?.[0]) || line;
  // What an alias leads to was noted when it stood there; later anchors of that name go before it.
  if (node.anchor !== undefined && run.following === 0) run.anchors.set(node.anchor, node);
  if (node.tag !== undefined) refuseTag(node.tag, path, at, run);
  if (isScalar(node)) {
    return { kind: "scalar", line: at, value: node.value, source: node.source ?? "" };
  }
  if (isSeq(node)) {
    const items = node.items.map((item, i) =>
      convertNode(item, { path: `${path}[${i}]`, line: at, depth: depth + 1 }, run),
    );
    return { kind: "list", line: at, items };
  }
  const entries = new Map<string, MapEntry>();
  for (const { key, value } of node.items) {
    const keyLine = (isNode(key) && run.lineOf(key.range?.[0])) || at;
    // The text as written: `0x1` and `0.13` are names here, not numbers.
    const name = isScalar(key) ? (key.source ?? String(key.value)) : "";
    const memberPath = below(path, name);
    if (name === "") {
      run.issues.add(path, keyLine, "expected every member to have a plain name");
      continue;
    }
    if (isScalar(key) && key.anchor !== undefined && run.following === 0) {
      run.anchors.set(key.anchor, key);
    }
    if (isScalar(key) && key.tag !== undefined) refuseTag(key.tag, memberPath, keyLine, run);
    if (entries.has(name)) {
      run.issues.add(memberPath, keyLine, "stands twice");
      continue;
    }
    const inside = { path: memberPath, line: keyLine, depth: depth + 1 };
    entries.set(name, { line: keyLine, node: convertNode(value, inside, run) });
  }
  return { kind: "map", line: at, entries };
}

function refuseTag(tag: string, path: string, line: number, { issues }: Conversion): void {
  const written = tag.replace(/^tag:yaml\.org,2002:/, "!!");
  issues.add(path, line, `expected a value without a tag, got ${written}: write it plainly`);
}

/**
 * Parses YAML 1.2 text: one document, no tags.
 *
 * Integers are exact (`bigint`), repeated keys are refused. The time and memory that a text can
 * take grow with its length, whatever stands in it.
 *
 * @param lines - false for values that stand in no file: all lines are then 0
 * @param issues - takes findings that leave a tree to look at further; without it they are thrown
 * @throws {ConfigError} with an issue per syntax error
 */
export function parseConfigTree(text: string, lines = true, issues?: IssueList): ConfigNode {
  refuseEndlessDigits(text, lines);
  const lineCounter = new LineCounter();
  const lineOf = (offset: number | undefined): number =>
    lines && offset !== undefined ? lineCounter.linePos(offset).line : 0;
  const document = parseBounded(text, lineCounter);
  const errors: ConfigIssue[] = document.errors.map(({ code, message, pos }) => ({
    path: "",
    line: lineOf(pos[0]),
    message: MESSAGES[code] ?? message,
  }));
  const found = issues ?? new IssueList();
  const { yaml } = document.directives ?? {};
  if (yaml?.explicit === true && yaml.version !== "1.2") {
    found.add("", lines ? 1 : 0, `expected YAML 1.2, got %YAML ${yaml.version}`);
  }
  for (const { code, message, pos } of document.warnings) {
    // Tags are found again in the tree, with their paths.
    if (code !== "TAG_RESOLVE_FAILED") found.add("", lineOf(pos[0]), message);
  }
  const run: Conversion = {
    lineOf,
    issues: found,
    anchors: new Map(),
    following: 0,
    nodes: 0,
    aliases: 0,
    isCut: false,
  };
  const tree = convertNode(document.contents, { path: "", line: lines ? 1 : 0, depth: 0 }, run);
  if (issues === undefined || run.isCut) errors.push(...found.issues);
  if (errors.length > 0) throw new ConfigError("not valid YAML", errors.slice(0, 100));
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

function parseBounded(text: string, lineCounter: LineCounter): Document {
  try {
    return parseDocument(text, {
      intAsBigInt: true,
      lineCounter,
      prettyErrors: false,
      // The parser compares every key with every other; the conversion looks it up.
      uniqueKeys: false,
      // Not "silent": that would hide a second document, too.
      logLevel: "error",
    });
  } catch (cause) {
    // The parser recurses into nested collections.
    if (!(cause instanceof RangeError)) throw cause;
    throw new ConfigError("not valid YAML", [{ path: "", line: 0, message: TOO_MUCH }], { cause });
  }
}
