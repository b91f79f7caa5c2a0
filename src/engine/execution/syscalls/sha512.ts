const WORD = 64n;
const MASK = (1n << WORD) - 1n;
const ROUNDS = 80;

/** Computed at the first compression: computing them takes milliseconds, and most threads need none. */
let constants: readonly bigint[] | undefined;

/**
 * Round constants of SHA-512: the first 64 bits of the fractional parts of the cube roots of the
 * first 80 primes (FIPS 180-4, section 4.2.3).
 */
function roundConstants(): readonly bigint[] {
  constants ??= firstPrimes(ROUNDS).map(
    (prime) => integerCubeRoot(BigInt(prime) << (3n * WORD)) & MASK,
  );
  return constants;
}

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < count; candidate++) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  }
  return primes;
}

function integerCubeRoot(value: bigint): bigint {
  let low = 0n;
  let high = 1n << BigInt(Math.ceil(value.toString(2).length / 3) + 1);
  while (low < high) {
    const middle = (low + high + 1n) >> 1n;
    if (middle ** 3n <= value) low = middle;
    else high = middle - 1n;
  }
  return low;
}

function rotate(value: bigint, bits: bigint): bigint {
  return ((value >> bits) | (value << (WORD - bits))) & MASK;
}

/**
 * SHA-512 compression of one block (FIPS 180-4, section 6.4.2). It is rare in contracts, so plain bigints are
 * fast enough.
 *
 * @param state - 8 words of 64 bits
 * @param block - 16 words of 64 bits
 * @returns the new state
 */
export function sha512Compress(state: readonly bigint[], block: readonly bigint[]): bigint[] {
  const rounds = roundConstants();
  const schedule = [...block];
  for (let i = block.length; i < ROUNDS; i++) {
    const early = schedule[i - 15] as bigint;
    const late = schedule[i - 2] as bigint;
    const small0 = rotate(early, 1n) ^ rotate(early, 8n) ^ (early >> 7n);
    const small1 = rotate(late, 19n) ^ rotate(late, 61n) ^ (late >> 6n);
    schedule.push(
      ((schedule[i - 16] as bigint) + small0 + (schedule[i - 7] as bigint) + small1) & MASK,
    );
  }
  let [a = 0n, b = 0n, c = 0n, d = 0n, e = 0n, f = 0n, g = 0n, h = 0n] = state;
  for (let i = 0; i < ROUNDS; i++) {
    const big1 = rotate(e, 14n) ^ rotate(e, 18n) ^ rotate(e, 41n);
    const choice = (e & f) ^ (~e & MASK & g);
    const first = h + big1 + choice + (rounds[i] as bigint) + (schedule[i] as bigint);
    const big0 = rotate(a, 28n) ^ rotate(a, 34n) ^ rotate(a, 39n);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    [h, g, f, e, d, c, b, a] = [
      g,
      f,
      e,
      (d + first) & MASK,
      c,
      b,
      a,
      (first + big0 + majority) & MASK,
    ];
  }
  return [a, b, c, d, e, f, g, h].map((word, i) => (word + (state[i] as bigint)) & MASK);
}
