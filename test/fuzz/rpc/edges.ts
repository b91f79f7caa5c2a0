import type { Random } from "#test/helpers/random.ts";
import { type Tree, Verbatim } from "./tree.ts";

/** Numbers at the limits of integer types; they pass the parser. */
export const WHOLE_EDGES: readonly Verbatim[] = [31n, 32n, 53n, 63n, 64n, 128n].flatMap((bits) =>
  [-1n, 0n, 1n].map((off) => new Verbatim(String((1n << bits) + off))),
);

/** Numbers that are no valid count: the parser rejects them. */
const NO_COUNTS: readonly Verbatim[] = [
  ...["-1", "-0", "-9007199254740993", "-18446744073709551616"],
  ...["1.5", "1.0", "1e3", "1e-7", "1e21", "1.7976931348623157e308", "1e400", "-1e400"],
].map((text) => new Verbatim(text));

/** An unusual number, mostly whole, where one is expected. */
export function edgeNumber(random: Random): Tree {
  return random.pick(random.below(3) === 0 ? NO_COUNTS : WHOLE_EDGES) ?? 0;
}
