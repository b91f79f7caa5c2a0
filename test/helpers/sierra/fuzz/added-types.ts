import type { GenericArgument, Program } from "#engine/sierra/program/program.ts";
import { userTypeId } from "#engine/sierra/program/user-type.ts";
import type { IntegerRange } from "#engine/sierra/types/concrete-type.ts";
import type { Random } from "../../random.ts";
import { Draft } from "./draft.ts";
import { type TypedProgram, typedProgram } from "./typed-program.ts";

const TUPLE: GenericArgument = { kind: "user_type", id: userTypeId("Tuple") };

const WRAPPERS = [
  "Box",
  "Array",
  "Snapshot",
  "Nullable",
  "NonZero",
  "Uninitialized",
  "Span",
] as const;

/** Maximum attempts to find valid types. */
const MAX_TRIES = 6;

const FELT_BOUND = 2n ** 251n;

/** Limits of integer ranges. */
const BOUNDS = [
  0n,
  1n,
  2n,
  5n,
  127n,
  128n,
  255n,
  256n,
  1000n,
  2n ** 16n,
  2n ** 31n,
  2n ** 32n,
].concat([2n ** 63n, 2n ** 64n, 2n ** 96n, 2n ** 100n, 2n ** 127n, 2n ** 128n - 1n, 2n ** 128n]);

/** Adds types to a program: results of libfuncs of two integers, and types that wrap others. */
export function withMoreTypes(program: Program, random: Random): Program | undefined {
  const typed = typedProgram(program);
  if (typed === undefined) return undefined;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const extended = extendedProgram(typed, random);
    if (random.below(8) === 0 || typedProgram(extended) !== undefined) return extended;
  }
  return undefined;
}

function extendedProgram({ program, types }: TypedProgram, random: Random): Program {
  const draft = new Draft(program, 0);
  const integers = types.flatMap(({ data }) => (data.kind === "integer" ? [data.range] : []));
  const one = anyRange(integers, random);
  const two = anyRange(integers, random);
  for (const range of [one, two, ...resultRanges(one, two), ...partRanges(one, random)]) {
    if (isFelts(range)) draft.type("BoundedInt", range.lower, range.upper - 1n);
  }
  for (let left = 3; left > 0; left--) wrap(draft, types.length, random);
  return draft.program;
}

/** Whether the bounds fit into a program. */
function isFelts({ lower, upper }: IntegerRange): boolean {
  return -lower < FELT_BOUND && upper < FELT_BOUND;
}

function anyRange(known: readonly IntegerRange[], random: Random): IntegerRange {
  const found = random.below(2) === 0 ? random.pick(known) : undefined;
  if (found !== undefined) return found;
  const [a = 0n, b = 0n] = [random.pick(BOUNDS), random.pick(BOUNDS)].map((bound = 0n) =>
    random.below(4) === 0 ? -bound : bound,
  );
  return a < b ? { lower: a, upper: b + 1n } : { lower: b, upper: a + 1n };
}

/** Ranges of a sum, a difference, a product, a quotient and a remainder. */
function resultRanges(one: IntegerRange, two: IntegerRange): IntegerRange[] {
  const [a, b, c, d] = [one.lower, one.upper - 1n, two.lower, two.upper - 1n];
  const products = [a * c, a * d, b * c, b * d].sort((x, y) => (x < y ? -1 : x > y ? 1 : 0));
  const [least = 0n, , , most = 0n] = products;
  const ranges = [
    { lower: a + c, upper: b + d + 1n },
    { lower: a - d, upper: b - c + 1n },
    { lower: least, upper: most + 1n },
  ];
  if (a < 0n || d <= 0n) return ranges;
  const divisor = c > 0n ? c : 1n;
  return [...ranges, { lower: a / d, upper: b / divisor + 1n }, { lower: 0n, upper: d }];
}

/** Ranges without the minimum and the maximum, and on both sides of a bound. */
function partRanges({ lower, upper }: IntegerRange, random: Random): IntegerRange[] {
  const bound = random.below(2) === 0 ? (lower + upper) / 2n : 0n;
  const parts = [
    { lower: lower + 1n, upper },
    { lower, upper: upper - 1n },
    { lower, upper: bound },
    { lower: bound, upper },
  ];
  return parts.filter((part) => part.lower < part.upper);
}

/** Declares a type that wraps others, mostly recent ones. */
function wrap(draft: Draft, known: number, random: Random): void {
  const { types } = draft.program;
  const any = (): number =>
    random.below(2) === 0 ? random.below(types.length) : known + random.below(types.length - known);
  const some = (most: number): number[] =>
    Array.from({ length: random.below(most + 1) }, () => any());
  switch (random.below(4)) {
    case 0:
      draft.type("Struct", TUPLE, ...some(4));
      break;
    case 1:
      draft.type("Enum", { kind: "user_type", id: userTypeId("fuzz::Enum") }, ...some(5));
      break;
    default:
      draft.type(random.pick(WRAPPERS) ?? "Box", any());
  }
}
