import { FIELD_PRIME } from "#base/primitives/index.ts";
import type { HintWriter } from "./casm-run.ts";

const WORD = 2n ** 128n;

/** {@link HintWriter} that writes the correct values of hints about integers. */
export const honestHints: HintWriter = (name, inputs) => {
  const of = (field: string) => inputs.get(field) ?? 0n;
  const halves = (prefix: string) => of(`${prefix}0`) + of(`${prefix}1`) * WORD;
  switch (name) {
    case "TestLessThan":
      return [of("lhs") < of("rhs") ? 1n : 0n];
    case "TestLessThanOrEqual":
      return [of("lhs") <= of("rhs") ? 1n : 0n];
    case "DivMod":
      return [of("lhs") / of("rhs"), of("lhs") % of("rhs")];
    case "WideMul128": {
      const product = of("lhs") * of("rhs");
      return [product / WORD, product % WORD];
    }
    case "SquareRoot":
      return [root(of("value"))];
    case "LinearSplit": {
      const quotient = of("value") / of("scalar");
      const x = quotient < of("max_x") ? quotient : of("max_x");
      return [x, of("value") - x * of("scalar")];
    }
    case "Uint256DivMod": {
      const [dividend, divisor] = [halves("dividend"), halves("divisor")];
      return [...words(dividend / divisor, 2), ...words(dividend % divisor, 2)];
    }
    case "Uint512DivModByUint256": {
      const high = of("dividend2") + of("dividend3") * WORD;
      const [dividend, divisor] = [halves("dividend") + high * WORD * WORD, halves("divisor")];
      return [...words(dividend / divisor, 4), ...words(dividend % divisor, 2)];
    }
    case "Uint256SquareRoot": {
      const value = of("value_low") + of("value_high") * WORD;
      const found = root(value);
      const left = value - found * found;
      const isWide = 2n * found - left >= WORD ? 1n : 0n;
      const limb = 2n ** 64n;
      return [found % limb, found / limb, ...words(left, 2), isWide];
    }
    case "U256InvModN":
      return inverseOrDivisor(halves("b"), halves("n"));
    default:
      throw new RangeError(`no hint ${name}`);
  }
};

/** {@link HintWriter} that writes the wrong result for every comparison. */
export const lyingHints: HintWriter = (name, inputs) => {
  const found = honestHints(name, inputs);
  return name.startsWith("TestLess") ? found.map((value) => 1n - value) : found;
};

/** Inverse and its multiple, or a common divisor above 1 and the two quotients. */
function inverseOrDivisor(value: bigint, modulus: bigint): bigint[] {
  const greatest = gcd(value, modulus);
  if (greatest !== 1n || modulus === 1n) {
    // The divisor's low half must not be zero: 2 works for even ones.
    const divisor = greatest % 2n === 0n ? 2n : greatest;
    const parts = [divisor, value / divisor, modulus / divisor];
    return parts.flatMap((each) => words(each, 2));
  }
  const inverse = inverseOf(value, modulus);
  return [0n, 0n, ...words(inverse, 2), ...words((inverse * value - 1n) / modulus, 2)];
}

function gcd(a: bigint, b: bigint): bigint {
  return b === 0n ? a : gcd(b, a % b);
}

function inverseOf(value: bigint, modulus: bigint): bigint {
  let [old, current] = [value % modulus, modulus];
  let [oldFactor, factor] = [1n, 0n];
  while (current !== 0n) {
    const quotient = old / current;
    [old, current] = [current, old - quotient * current];
    [oldFactor, factor] = [factor, oldFactor - quotient * factor];
  }
  return ((oldFactor % modulus) + modulus) % modulus;
}

/** Words of 128 bits, the lowest first. */
export function words(value: bigint, count: number): bigint[] {
  return Array.from({ length: count }, (_, i) => (value / WORD ** BigInt(i)) % WORD);
}

/** Square root, rounded down. */
export function root(value: bigint): bigint {
  let low = 0n;
  let high = value < FIELD_PRIME ? 2n ** 126n : 2n ** 128n;
  while (low < high) {
    const middle = (low + high + 1n) / 2n;
    if (middle * middle <= value) low = middle;
    else high = middle - 1n;
  }
  return low;
}
