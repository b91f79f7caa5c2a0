import type { Felt } from "#base/primitives/index.ts";
import { MersenneTwister64 } from "./mersenne-twister.ts";

const MASK_32 = (1n << 32n) - 1n;
const MASK_64 = (1n << 64n) - 1n;

/**
 * Private keys of the accounts that starknet-devnet makes for a seed: pairs of draws of 64 bits, the first one low.
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
 * The 64 bits that a generator is seeded with: two outputs of PCG32 (O'Neill, "PCG: A Family of Simple Fast
 * Space-Efficient Statistically Good Algorithms for Random Number Generation", 2014), the first one low, as
 * `seed_from_u64` of `rand_core` has it.
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
