import type { Felt } from "#base/primitives/index.ts";
import { MersenneTwister64 } from "./mersenne-twister.ts";

const MASK_32 = (1n << 32n) - 1n;
const MASK_64 = (1n << 64n) - 1n;

/**
 * Returns the private keys of the accounts that starknet-devnet derives from a seed. Each key is a pair of
 * 64-bit draws, the low half first.
 *
 * Source: `predeployed_accounts.rs` of starknet-devnet, over the Rust crates `rand_mt` and `rand_core`.
 *
 * @param seed - 32 bits
 */
export function devnetPrivateKeys(seed: bigint, count: number): Felt[] {
  const generator = new MersenneTwister64(wideSeed(seed));
  return Array.from({ length: count }, () => generator.next() | (generator.next() << 64n));
}

/**
 * Expands a seed to the 64 bits that seed the generator: two outputs of PCG32 (O'Neill, "PCG: A Family of
 * Simple Fast Space-Efficient Statistically Good Algorithms for Random Number Generation", 2014), the low
 * half first, like `seed_from_u64` of `rand_core`.
 */
function wideSeed(seed: bigint): bigint {
  let state = seed;
  const output = (): bigint => {
    state = (state * 0x5851_f42d_4c95_7f2dn + 0xa176_54e4_6fbe_17f3n) & MASK_64;
    const bits = (((state >> 18n) ^ state) >> 27n) & MASK_32;
    const rotation = state >> 59n;
    return ((bits >> rotation) | (bits << ((32n - rotation) & 31n))) & MASK_32;
  };
  return output() | (output() << 32n);
}
