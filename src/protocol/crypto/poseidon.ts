import type { Felt } from "#base/primitives/index.ts";
import { fieldKernel } from "./kernel.ts";

/**
 * Poseidon hash of two felts: first element of the Hades permutation of `(a, b, 2)`.
 *
 * Source: Starknet docs, "Cryptography / Poseidon hash".
 */
export function poseidon(a: Felt, b: Felt): Felt {
  return fieldKernel().poseidon(a, b);
}

/** Poseidon hash of one felt: first element of the Hades permutation of `(a, 0, 1)`. */
export function poseidonSingle(a: Felt): Felt {
  return fieldKernel().poseidonSingle(a);
}

/**
 * {@link poseidon} of consecutive pairs `[a0, b0, a1, b1, …]`, in order.
 *
 * @throws {KernelError} when the number of felts is odd
 */
export function poseidonBatch(pairs: readonly Felt[]): Felt[] {
  return fieldKernel().poseidonBatch(pairs);
}

/**
 * {@link poseidonBatch} over canonical felts of 32 big-endian bytes, 64 bytes per pair.
 *
 * @returns 32 bytes per pair
 * @throws {KernelError} when the length of `pairs` is not a multiple of 64
 */
export function poseidonBatchBytes(pairs: Uint8Array): Uint8Array {
  return fieldKernel().poseidonBatchBytes(pairs);
}

/**
 * Poseidon hash of any number of felts: sponge of rate 2, padded with 1 and, if needed, 0.
 *
 * @param pause - called about every ten milliseconds; may throw to abort, and must not hash
 */
export function poseidonMany(values: readonly Felt[], pause?: () => void): Felt {
  return fieldKernel().poseidonMany(values, pause);
}

/** {@link poseidonMany} of each list, in order; many short lists cost one kernel call. */
export function poseidonManyBatch(lists: readonly (readonly Felt[])[]): Felt[] {
  return fieldKernel().poseidonManyBatch(lists);
}
