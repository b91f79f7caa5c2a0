import type { Address } from "#kernels/vm/index.ts";
import { type Felt, FIELD_PRIME } from "#base/primitives/index.ts";
import { addressText, valueText } from "../failure-text.ts";
import { type LegacyHintContext, RANGE_CHECK_BOUND } from "./hint-context.ts";
import { HintFailed } from "./hint-failure.ts";
import type { HintName } from "./hint-texts.ts";
import type { HintFunction } from "./integer-hints.ts";

/** Scope variable: index of the longest of the three arcs between 0, a, b and the prime. */
const EXCLUDED = "excluded";

const ASSERT_LE_FELT = "starkware.cairo.common.math.assert_le_felt";

function checkLessOrEqual(a: Felt, b: Felt): void {
  if (a > b) {
    throw new HintFailed(`Assertion failed, ${a}, is not less or equal to ${b}`);
  }
}

/** Writes the two shorter arcs between 0, a, b and the prime as range checks, in two limbs each. */
function assertLessOrEqual(context: LegacyHintContext): void {
  const thirdHigh = context.constantAt(`${ASSERT_LE_FELT}.PRIME_OVER_3_HIGH`);
  const halfHigh = context.constantAt(`${ASSERT_LE_FELT}.PRIME_OVER_2_HIGH`);
  const a = context.felt("a");
  const b = context.felt("b");
  const target = context.pointer("range_check_ptr");
  checkLessOrEqual(a, b);
  const arcs = [a, b - a, FIELD_PRIME - 1n - b]
    .map((length, index) => ({ length, index }))
    .sort((x, y) => (x.length === y.length ? x.index - y.index : x.length < y.length ? -1 : 1));
  const [shortest, middle, longest] = arcs;
  if (shortest === undefined || middle === undefined || longest === undefined) return;
  if (thirdHigh === 0n || halfHigh === 0n) throw new HintFailed("Attempted to divide by zero");
  context.scopes.set(EXCLUDED, BigInt(longest.index));
  context.write(target, shortest.length % thirdHigh);
  context.write(target, shortest.length / thirdHigh, 1);
  context.write(target, middle.length % halfHigh, 2);
  context.write(target, middle.length / halfHigh, 3);
}

function assertNotEqual(context: LegacyHintContext): void {
  const a = context.value("a");
  const b = context.value("b");
  if (typeof a === "bigint" && typeof b === "bigint") {
    if (a === b) throw new HintFailed(`assert_not_equal failed: ${a} =  ${b}`);
  } else if (typeof a === "object" && typeof b === "object") {
    checkDifferent(a, b);
  } else {
    throw new HintFailed(
      `Failed to compare ${valueText(a)} and ${valueText(b)}, ` +
        "cant compare a relocatable to an integer value",
      true,
    );
  }
}

function checkDifferent(a: Address, b: Address): void {
  const [left, right] = [addressText(a), addressText(b)];
  if (a.segment !== b.segment) {
    throw new HintFailed(
      `Failed to compare ${left} and  ${right}, ` +
        "cant compare two relocatable values of different segment indexes",
      true,
    );
  }
  if (a.offset === b.offset) throw new HintFailed(`assert_not_equal failed: ${left} =  ${right}`);
}

/** Implementations of the Cairo 0 library hints that compare two values, by hint name. */
export const COMPARISON_HINTS: Readonly<Partial<Record<HintName, HintFunction>>> = {
  ASSERT_NOT_EQUAL: assertNotEqual,
  ASSERT_LE_FELT: assertLessOrEqual,
  ASSERT_LE_FELT_V_0_6: (context) => {
    checkLessOrEqual(context.felt("a"), context.felt("b"));
  },
  ASSERT_LE_FELT_V_0_8: (context) => {
    const a = context.felt("a");
    const b = context.felt("b");
    checkLessOrEqual(a, b);
    context.requireBuiltin("range_check");
    const isSmall = a < RANGE_CHECK_BOUND && b - a < RANGE_CHECK_BOUND;
    context.set("small_inputs", isSmall ? 1n : 0n);
  },
  ASSERT_LE_FELT_EXCLUDED_0: (context) => {
    context.setAp(context.scopes.get(EXCLUDED) === 0n ? 0n : 1n);
  },
  ASSERT_LE_FELT_EXCLUDED_1: (context) => {
    context.setAp(context.scopes.get(EXCLUDED) === 1n ? 0n : 1n);
  },
  ASSERT_LE_FELT_EXCLUDED_2: (context) => {
    const excluded = context.scopes.get(EXCLUDED);
    if (excluded !== 2n) throw new HintFailed(`Excluded is supposed to be 2, got ${excluded}`);
  },
  ASSERT_LT_FELT: (context) => {
    const a = context.felt("a");
    const b = context.felt("b");
    if (a >= b) {
      throw new HintFailed(`Assertion failed, a = ${a} % PRIME is not less than b = ${b} % PRIME`);
    }
  },
  IS_LE_FELT: (context) => {
    context.setAp(context.felt("a") > context.felt("b") ? 1n : 0n);
  },
};
