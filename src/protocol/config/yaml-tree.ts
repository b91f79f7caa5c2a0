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

/** Maximum nesting of a configuration, with aliases expanded. */
const MAX_DEPTH = 32;
/** Maximum number of values of a configuration, with aliases expanded. */
const MAX_NODES = 1_000_000;
/** Maximum uses of aliases; bounds the expansion of a small file. */
const MAX_ALIASES = 1000;
const TOO_MUCH = "nests too deep or unfolds to too much";

/** Replacements for parser messages that would not help the author of the file. */
const MESSAGES: Readonly<Record<string, string>> = {
  MULTIPLE_DOCS: "expected one document, but `---` begins another",
};

interface Conversion {
  readonly lineOf: (offset: number | undefined) => number;
  /** Findings that still leave a usable tree. */
  readonly issues: IssueList;
  /** Nodes by their anchors. The parser would search the whole document for each alias. */
  readonly anchors: Map<string, Node>;
  /** Number of aliases being expanded around the current node. */
  following: number;
  nodes: number;
  aliases: number;
  /** Whether a limit was exceeded, so that the tree is incomplete. */
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
    // Further findings would only repeat this one.
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
  // Anchors inside an expanded alias are already registered; a later anchor of the same name replaces an
  // earlier one.
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
      run.issues.add(memberPath, keyLine, "is defined twice");
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
 * Integers are exact (`bigint`), repeated keys are refused. Time and memory grow linearly with the text's
 * length, whatever its content.
 *
 * @param lines - `false` for values that are not from a file: all lines are then 0
 * @param issues - receives findings that still leave a usable tree; without it they are thrown
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
    // The conversion reports tags with their paths.
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

/** Parsing digits as `bigint` takes quadratic time. */
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
      // The parser compares all pairs of keys; the conversion uses a map.
      uniqueKeys: false,
      // Not "silent", which would also hide a second document.
      logLevel: "error",
    });
  } catch (cause) {
    // The parser recurses into nested collections and may exhaust the stack.
    if (!(cause instanceof RangeError)) throw cause;
    throw new ConfigError("not valid YAML", [{ path: "", line: 0, message: TOO_MUCH }], { cause });
  }
}
