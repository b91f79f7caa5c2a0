import { type Felt, FIELD_PRIME } from "#base/primitives/index.ts";

/** P - 1 = 2^TWO_ADICITY * ODD. */
const TWO_ADICITY = 192;
const ODD = (FIELD_PRIME - 1n) >> BigInt(TWO_ADICITY);

/** Generator of the multiplicative group, and a non-residue. */
const GENERATOR = 3n;

function power(base: Felt, exponent: bigint): Felt {
  let result = 1n;
  let square = base;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = (result * square) % FIELD_PRIME;
    square = (square * square) % FIELD_PRIME;
  }
  return result;
}

/**
 * Smaller square root of a felt (Tonelli-Shanks). Slow, about a millisecond: for rare hints only.
 *
 * @returns `undefined` for a non-residue
 */
export function fieldSqrt(value: Felt): Felt | undefined {
  if (value === 0n) return 0n;
  if (power(value, (FIELD_PRIME - 1n) / 2n) !== 1n) return undefined;
  let order = TWO_ADICITY;
  let generator = power(GENERATOR, ODD);
  let rest = power(value, ODD);
  let root = power(value, (ODD + 1n) / 2n);
  while (rest !== 1n) {
    let bits = 0;
    for (let square = rest; square !== 1n; bits++) square = (square * square) % FIELD_PRIME;
    const factor = power(generator, 1n << BigInt(order - bits - 1));
    order = bits;
    generator = (factor * factor) % FIELD_PRIME;
    rest = (rest * generator) % FIELD_PRIME;
    root = (root * factor) % FIELD_PRIME;
  }
  return root > FIELD_PRIME / 2n ? FIELD_PRIME - root : root;
}
