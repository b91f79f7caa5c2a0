import { type Felt, FIELD_PRIME } from "#base/primitives/index.ts";
import { type LegacyHintContext, RANGE_CHECK_BOUND } from "./hint-context.ts";
import { HintFailed } from "./hint-failure.ts";
import type { HintName } from "./hint-texts.ts";

/** Implementation of one library hint of Cairo 0. @throws {HintFailed} when the hint fails */
export type HintFunction = (context: LegacyHintContext) => void;

const LOW_64 = (1n << 64n) - 1n;
const LOW_128 = (1n << 128n) - 1n;
const PRIME_TEXT = `0x${FIELD_PRIME.toString(16)}`;
const MAX_DIVISOR = FIELD_PRIME / RANGE_CHECK_BOUND;

/** Largest integer whose square is at most `value`. */
export function integerSqrt(value: bigint): bigint {
  if (value < 2n) return value;
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

/** Converts a felt to the signed integer nearest to zero. */
function signed(value: Felt): bigint {
  return value > FIELD_PRIME / 2n ? value - FIELD_PRIME : value;
}

function flag(value: boolean): Felt {
  return value ? 1n : 0n;
}

/** Quotient, rounded down, and remainder; the divisor must be positive. */
function floorDivide(value: bigint, divisor: bigint): readonly [bigint, bigint] {
  const remainder = ((value % divisor) + divisor) % divisor;
  return [(value - remainder) / divisor, remainder];
}

function modulo(value: bigint): Felt {
  return ((value % FIELD_PRIME) + FIELD_PRIME) % FIELD_PRIME;
}

function isBelowBound(value: Felt): boolean {
  return value < RANGE_CHECK_BOUND;
}

function isPositive(context: LegacyHintContext): void {
  const value = context.felt("value");
  context.requireBuiltin("range_check");
  const integer = signed(value);
  if ((integer < 0n ? -integer : integer) >= RANGE_CHECK_BOUND) {
    throw new HintFailed(`Value: ${value} is outside valid range`);
  }
  context.set("is_positive", flag(integer > 0n));
}

function splitFelt(context: LegacyHintContext): void {
  const high = context.constant("MAX_HIGH");
  const low = context.constant("MAX_LOW");
  if (!isBelowBound(high) || !isBelowBound(low)) {
    throw new HintFailed("assert ids.MAX_HIGH < 2**128 and ids.MAX_LOW < 2**128");
  }
  if (high * RANGE_CHECK_BOUND + low !== FIELD_PRIME - 1n) {
    throw new HintFailed("assert PRIME - 1 == ids.MAX_HIGH * 2**128 + ids.MAX_LOW");
  }
  const value = context.felt("value");
  context.set("high", value >> 128n);
  context.set("low", value & LOW_128);
}

function splitInt(context: LegacyHintContext): void {
  const value = context.felt("value");
  const base = context.felt("base");
  const bound = context.felt("bound");
  if (base === 0n) throw new HintFailed("Attempted to divide by zero");
  const output = context.pointer("output");
  const limb = value % base;
  if (limb > bound) throw new HintFailed(`split_int(): Limb ${limb} is out of range.`);
  context.write(output, limb);
}

function unsignedDivide(context: LegacyHintContext): void {
  const divisor = context.felt("div");
  const value = context.felt("value");
  context.requireBuiltin("range_check");
  checkDivisor(divisor);
  context.set("r", value % divisor);
  context.set("q", value / divisor);
}

function signedDivide(context: LegacyHintContext): void {
  const divisor = context.felt("div");
  const value = context.felt("value");
  const bound = context.felt("bound");
  context.requireBuiltin("range_check");
  checkDivisor(divisor);
  const largest = RANGE_CHECK_BOUND / 2n;
  if (bound > largest) throw new HintFailed(`Div out of range: 0 < ${bound} <= ${largest}`);
  const [quotient, remainder] = floorDivide(signed(value), divisor);
  if (bound < (quotient < 0n ? -quotient : quotient)) {
    throw new HintFailed(`Div out of range: 0 < ${modulo(quotient)} <= ${bound}`);
  }
  context.set("r", remainder);
  context.set("biased_q", modulo(quotient + bound));
}

function checkDivisor(divisor: Felt): void {
  if (divisor === 0n || divisor > MAX_DIVISOR) {
    throw new HintFailed(`Div out of range: 0 < ${divisor} <= ${RANGE_CHECK_BOUND}`);
  }
}

function checkIs250Bits(context: LegacyHintContext): void {
  const scope = "starkware.cairo.common.math.assert_250_bit";
  const bound = context.optionalConstant(`${scope}.UPPER_BOUND`) ?? context.constant("UPPER_BOUND");
  const shift = context.optionalConstant(`${scope}.SHIFT`) ?? context.constant("SHIFT");
  const value = context.felt("value");
  if (value > bound) {
    throw new HintFailed(`Value: ${value} is outside of the range [0, 2**250)`);
  }
  if (shift === 0n) throw new HintFailed("Attempted to divide by zero");
  context.set("high", value / shift);
  context.set("low", value % shift);
}

function setIsSmall(context: LegacyHintContext): void {
  const bound = context.constantAt("starkware.starknet.common.storage.ADDR_BOUND", "ADDR_BOUND");
  const address = context.felt("addr");
  if (!(bound > 1n << 250n && bound <= 1n << 251n && bound * 2n > FIELD_PRIME)) {
    throw new HintFailed(
      `assert (2**250 < ${bound} <= 2**251) and (2 * 2**250 < PRIME) and ` +
        `(${bound} * 2 > PRIME); normalize_address() cannot be used with the current constants.`,
    );
  }
  context.set("is_small", flag(address < bound));
}

/** Implementations of the Cairo 0 library hints on single felts, by hint name. */
export const INTEGER_HINTS: Readonly<Partial<Record<HintName, HintFunction>>> = {
  ASSERT_NOT_ZERO: (context) => {
    const value = context.felt("value");
    if (value === 0n) {
      throw new HintFailed(`Assertion failed, ${value} % ${PRIME_TEXT} is equal to 0`);
    }
  },
  ASSERT_NN: (context) => {
    const a = context.felt("a");
    context.requireBuiltin("range_check");
    if (!isBelowBound(a)) {
      throw new HintFailed(
        "Assertion failed, 0 <= ids.a % PRIME < range_check_builtin.bound \n " +
          `a = ${a} is out of range`,
      );
    }
  },
  IS_NN: (context) => {
    const a = context.felt("a");
    context.requireBuiltin("range_check");
    context.setAp(flag(!isBelowBound(a)));
  },
  IS_NN_OUT_OF_RANGE: (context) => {
    const a = context.felt("a");
    context.requireBuiltin("range_check");
    context.setAp(flag(!isBelowBound(FIELD_PRIME - 1n - a)));
  },
  IS_POSITIVE: isPositive,
  IS_250_BITS: (context) => {
    context.set("is_250", flag(context.felt("addr") < 1n << 250n));
  },
  IS_ADDR_BOUNDED: setIsSmall,
  ASSERT_250_BITS: checkIs250Bits,
  SPLIT_FELT: splitFelt,
  SPLIT_INT: splitInt,
  SPLIT_INT_ASSERT_RANGE: (context) => {
    if (context.felt("value") !== 0n) throw new HintFailed("split_int(): value is out of range");
  },
  SPLIT_64: (context) => {
    const a = context.felt("a");
    context.set("high", a >> 64n);
    context.set("low", a & LOW_64);
  },
  SQRT: (context) => {
    const value = context.felt("value");
    if (value > 1n << 250n) {
      throw new HintFailed(`Value: ${value} is outside of the range [0, 2**250)`);
    }
    context.set("root", integerSqrt(value));
  },
  UNSIGNED_DIV_REM: unsignedDivide,
  SIGNED_DIV_REM: signedDivide,
  POW: (context) => {
    const exponent = context.member("prev_locs", "exp", context.addressOf("prev_locs"), 4);
    context.set("locs", exponent & 1n);
  },
};
