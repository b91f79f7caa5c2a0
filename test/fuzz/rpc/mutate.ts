import type { Random } from "#test/helpers/random.ts";
import { edgeNumber } from "./edges.ts";
import { Members, type Tree, Verbatim } from "./tree.ts";

const PRIME = (1n << 251n) + 17n * (1n << 192n) + 1n;

/** Verbatim JSON texts: numbers and strings that no program would write. */
const ODD_TEXTS: readonly Verbatim[] = [
  ...["9007199254740993", "18446744073709551616", "340282366920938463463374607431768211456"],
  ...["1e400", "-1e400", "1e-400", "-0", "1E2", "1.0", "0.1", "9".repeat(400), "9".repeat(1100)],
  ...["01", "0x10", "+1", "NaN", "Infinity", "undefined", "'a'"],
  ...['"\\ud800"', '"\\u0000"', '"\\udc00\\ud800"', '"\\x"', '"\n"'],
].map((text) => new Verbatim(text));

/** Values used in place of another kind. */
const ODD_VALUES: readonly Tree[] = [
  ...[null, true, false, 0, -1, 1, 0.5, 2 ** 31, 2 ** 53],
  ...["", " ", "0x", "0X1", "0x0", "0x00", "0x01", "0xg", "0x-1", "-0x1", "1", "latest ", "LATEST"],
  ...["latest", "pending", "pre_confirmed", "l1_accepted"],
  ...[PRIME, PRIME - 1n, (1n << 256n) - 1n, 1n << 256n, (1n << 128n) - 1n, 1n << 128n].map(
    (value) => `0x${value.toString(16)}`,
  ),
  ...[`0x${"0".repeat(70)}1`, `0x${"1".repeat(20_000)}`, "x".repeat(70_000)],
  ...["__proto__", "constructor", "toString", "\u202eabc\u0000\ufeff", "😀".repeat(50)],
  ...[[], [[]], [null], new Members([])],
  new Members([["__proto__", new Members([["polluted", true]])]]),
  new Members([["block_number", -1]]),
  new Members([["block_number", new Verbatim("99999999999999999999")]]),
  new Members([["block_hash", "0x0"]]),
  new Members([
    ["block_number", 0],
    ["block_hash", "0x0"],
  ]),
];

/** Texts at the limits of integer types. */
const ODD_FELTS: readonly string[] = [
  ...[PRIME, 1n << 251n, 1n << 256n, 1n << 160n, 1n << 128n, 1n << 64n, 1n << 53n].flatMap((edge) =>
    [edge - 1n, edge, edge + 1n].map((value) => `0x${value.toString(16)}`),
  ),
  ...["0x0", "0x", "0x00", "0xg", "0X1", `0x${"0".repeat(70)}1`],
];

const ODD_NAMES = [
  "",
  "__proto__",
  "constructor",
  "hasOwnProperty",
  "\u0000",
  "ид",
  "x".repeat(300),
];

/** A value that fits nowhere. */
export function oddValue(random: Random): Tree {
  switch (random.below(40)) {
    case 0:
      return nested(random.below(200) + 1, random.below(2) === 0);
    case 1:
      return new Array<Tree>(random.below(3_000)).fill(shortValue(random));
    case 2:
      return new Verbatim(String(random.below(2 ** 31)) + "0".repeat(random.below(40)));
    default:
      return random.pick(random.below(3) === 0 ? ODD_TEXTS : ODD_VALUES) ?? null;
  }
}

/** A value that is short enough for a long list. */
function shortValue(random: Random): Tree {
  const value = random.pick(ODD_VALUES) ?? null;
  return typeof value === "string" && value.length > 100 ? "0x1" : value;
}

function nested(depth: number, isArray: boolean): Verbatim {
  return isArray
    ? new Verbatim("[".repeat(depth) + "]".repeat(depth))
    : new Verbatim(`${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`);
}

/** The tree with one random change. */
export function mutated(tree: Tree, random: Random): Tree {
  const isLeaf = !(tree instanceof Members) && !Array.isArray(tree);
  if (isLeaf) return changedLeaf(tree, random);
  const size = tree instanceof Members ? tree.entries.length : (tree as readonly Tree[]).length;
  if (size > 0 && random.below(4) > 0) return withChangedPart(tree, random.below(size), random);
  return tree instanceof Members
    ? changedMembers(tree, random)
    : changedList(tree as readonly Tree[], random);
}

function withChangedPart(tree: Tree, at: number, random: Random): Tree {
  if (tree instanceof Members) {
    return new Members(
      tree.entries.map(([name, value], i) => [name, i === at ? mutated(value, random) : value]),
    );
  }
  return (tree as readonly Tree[]).map((value, i) => (i === at ? mutated(value, random) : value));
}

function changedMembers({ entries }: Members, random: Random): Tree {
  const at = random.below(entries.length);
  const [name = "", value = null] = entries[at] ?? [];
  switch (random.below(6)) {
    case 0:
      return new Members(entries.filter((_, i) => i !== at));
    case 1:
      return new Members([...entries, [random.pick(ODD_NAMES) ?? "", oddValue(random)]]);
    case 2:
      return new Members([...entries, [name, oddValue(random)]]);
    case 3:
      return new Members(
        entries.map((entry, i) => (i === at ? [name.toUpperCase(), value] : entry)),
      );
    case 4:
      return entries.map(([, inner]) => inner);
    default:
      return oddValue(random);
  }
}

function changedList(list: readonly Tree[], random: Random): Tree {
  const at = random.below(list.length);
  const element = list[at] ?? null;
  switch (random.below(6)) {
    case 0:
      return list.filter((_, i) => i !== at);
    case 1:
      return [...list, oddValue(random)];
    case 2:
      return [...list, ...new Array<Tree>(random.below(300)).fill(element)];
    case 3:
      return random.shuffled(list);
    case 4:
      return new Members(list.map((value, i) => [String(i), value]));
    default:
      return oddValue(random);
  }
}

/** Another value, mostly of the same kind. */
function changedLeaf(leaf: Tree, random: Random): Tree {
  switch (random.below(6)) {
    case 0:
      return damagedText(leaf, random);
    case 1:
    case 2:
      return oddValue(random);
    default:
      if (typeof leaf === "number") return edgeNumber(random);
      if (typeof leaf === "string" && leaf.startsWith("0x")) return random.pick(ODD_FELTS) ?? "";
      return oddValue(random);
  }
}

function damagedText(value: Tree, random: Random): Tree {
  if (typeof value === "number") return value + random.below(3) - 1;
  if (typeof value !== "string" || value === "") return oddValue(random);
  const at = random.below(value.length);
  const inserted = random.pick(["", "0", "f", "g", " ", "\u0000", "😀", "-", "0x"]) ?? "";
  return value.slice(0, at) + inserted + value.slice(at + random.below(3));
}

/** A body with missing, repeated or wrong bytes. */
export function damagedBody(body: string, random: Random): string {
  const at = random.below(body.length);
  switch (random.below(5)) {
    case 0:
      return body.slice(0, at);
    case 1:
      return body + body.slice(at);
    case 2:
      return body.slice(0, at) + body.slice(at + 1 + random.below(5));
    case 3:
      return `${"[".repeat(random.below(300))}${body}`;
    default:
      return `${body.slice(0, at)}${random.pick(['"', "{", "}", "[", "]", ",", ":", "\\", "\u0000", "\ufeff", "1e999", "//"]) ?? ""}${body.slice(at)}`;
  }
}
