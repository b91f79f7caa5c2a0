import { KernelError } from "#base/errors/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { FIELD_LAYOUT } from "./abi.ts";
import type { FieldCalls } from "./calls.ts";

const { FELT_BYTES } = FIELD_LAYOUT;

/**
 * Applies a kernel operation to `[a0, b0, a1, b1, …]`, in batches that fit in the window.
 *
 * @param operation - replaces the first `2 * count` felts of the window by `count` results at its start
 * @returns one felt per pair
 * @throws {KernelError} for odd lengths
 */
export function mapPairs(
  { window }: FieldCalls,
  pairs: readonly Felt[],
  operation: (count: number) => void,
): Felt[] {
  if (pairs.length % 2 !== 0) throw oddLength(pairs.length);
  const hashes: Felt[] = [];
  for (let from = 0; from < pairs.length; from += window.capacity) {
    const count = Math.min(window.capacity, pairs.length - from);
    window.writeMany(0, pairs, from, count);
    operation(count / 2);
    for (let i = 0; i < count / 2; i++) hashes.push(window.read(i));
  }
  return hashes;
}

/**
 * Like {@link mapPairs}, over concatenated big-endian felts of 32 bytes.
 *
 * @returns one felt of 32 bytes per pair
 * @throws {KernelError} unless the length is a multiple of 64
 */
export function mapPairBytes(
  { exports, bytes }: FieldCalls,
  pairs: Uint8Array,
  operation: (count: number) => void,
): Uint8Array {
  if (pairs.length % (2 * FELT_BYTES) !== 0) throw oddLength(pairs.length / FELT_BYTES);
  const hashes = new Uint8Array(pairs.length / 2);
  for (let from = 0; from < pairs.length; from += bytes.length) {
    const part = pairs.subarray(from, from + bytes.length);
    bytes.set(part);
    const pairCount = part.length / (2 * FELT_BYTES);
    exports.reverseBytes(2 * pairCount);
    operation(pairCount);
    exports.reverseBytes(pairCount);
    hashes.set(bytes.subarray(0, part.length / 2), from / 2);
  }
  return hashes;
}

function oddLength(count: number): KernelError {
  return new KernelError("KERNEL_ARGUMENT", "pairs of felts expected", { meta: { count } });
}
