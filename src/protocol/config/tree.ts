/** YAML value with its position; line 0 marks values of an override. */
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

/** Path of member `name` of the mapping at `path`. */
export function below(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

/**
 * Returns `tree` with `value` at `path`; adds missing mappings.
 *
 * A scalar or list along the path is replaced by a mapping.
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

/**
 * Merges two mappings, top level only: members of `upper` replace those of `lower`. If either is not a
 * mapping, returns `upper`.
 */
export function mergeMappings(lower: ConfigNode, upper: ConfigNode): ConfigNode {
  if (lower.kind !== "map" || upper.kind !== "map") return upper;
  const entries = new Map<string, MapEntry>();
  for (const [name, entry] of lower.entries) entries.set(name, { ...entry, line: 0 });
  for (const [name, entry] of upper.entries) entries.set(name, entry);
  return { kind: "map", line: upper.line, entries };
}

/**
 * Line of the value at `path` (names, and indexes of lists), or of its nearest existing part.
 *
 * @returns 0 when the value comes from an override, or no part of the path exists
 */
export function lineAt(tree: ConfigNode, path: readonly string[]): number {
  let node = tree;
  let line = 0;
  for (const name of path) {
    let entry: MapEntry | undefined;
    if (node.kind === "map") entry = node.entries.get(name);
    else if (node.kind === "list") {
      const item = node.items[Number(name)];
      entry = item && { line: item.line, node: item };
    }
    if (entry === undefined) return line;
    ({ line, node } = entry);
  }
  return line;
}
