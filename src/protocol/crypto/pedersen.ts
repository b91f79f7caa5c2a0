import { invariant } from "#base/errors/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { fieldKernel } from "./kernel.ts";

/**
 * Pedersen hash of two felts.
 *
 * Source: Starknet docs, "Cryptography / Pedersen hash".
 */
export function pedersen(a: Felt, b: Felt): Felt {
  return fieldKernel().pedersen(a, b);
}

/**
 * Pedersen hashes of consecutive pairs `[a0, b0, a1, b1, …]`, in order. From about twenty pairs on it takes
 * half the time of single calls.
 *
 * @throws {KernelError} when the number of felts is odd
 */
export function pedersenBatch(pairs: readonly Felt[]): Felt[] {
  return fieldKernel().pedersenBatch(pairs);
}

/**
 * {@link pedersenBatch} over canonical felts of 32 big-endian bytes, 64 bytes per pair.
 *
 * @returns 32 bytes per pair
 * @throws {KernelError} when the length of `pairs` is not a multiple of 64
 */
export function pedersenBatchBytes(pairs: Uint8Array): Uint8Array {
  return fieldKernel().pedersenBatchBytes(pairs);
}

/**
 * Pedersen hash of a list: `h(h(h(0, v0), v1) …, n)` with n the number of values; `h(0, 0)` for an empty
 * list. Source: Starknet docs, "Hash functions / Array hashing".
 *
 * @param pause - called about every ten milliseconds; may throw to abort
 */
export function pedersenArray(values: readonly Felt[], pause?: () => void): Felt {
  return fieldKernel().pedersenChain(0n, [...values, BigInt(values.length)], pause);
}

/**
 * {@link pedersenArray} of many lists of equal length, several times faster per hash.
 *
 * @throws {InvariantError} when the lengths differ
 */
export function pedersenArrayBatch(lists: readonly (readonly Felt[])[]): Felt[] {
  const length = lists[0]?.length ?? 0;
  invariant(
    lists.every((list) => list.length === length),
    "lists of a batch must have equal lengths",
  );
  let hashes = lists.map(() => 0n);
  for (let i = 0; i <= length; i++) {
    const pairs = hashes.flatMap((hash, at) => [hash, lists[at]?.[i] ?? BigInt(length)]);
    hashes = pedersenBatch(pairs);
  }
  return hashes;
}
