import type { Felt } from "#base/primitives/index.ts";
import { FIELD_LAYOUT } from "./abi.ts";
import type { FieldCalls } from "./calls.ts";

const { KECCAK_BLOCK_BYTES } = FIELD_LAYOUT;

/** Keccak-256 with Ethereum's padding. */
export function keccak256({ exports, bytes }: FieldCalls, data: Uint8Array): Uint8Array {
  exports.keccakBegin();
  const wholeBlocks = Math.floor(data.length / KECCAK_BLOCK_BYTES);
  const blocksPerCall = Math.floor(bytes.length / KECCAK_BLOCK_BYTES);
  for (let block = 0; block < wholeBlocks; block += blocksPerCall) {
    const count = Math.min(blocksPerCall, wholeBlocks - block);
    const from = block * KECCAK_BLOCK_BYTES;
    bytes.set(data.subarray(from, from + count * KECCAK_BLOCK_BYTES));
    exports.keccakAbsorb(count);
  }
  const rest = data.subarray(wholeBlocks * KECCAK_BLOCK_BYTES);
  bytes.set(rest);
  exports.keccakFinish(rest.length);
  return bytes.slice(0, 32);
}

/** Keccak-f[1600] in place on 25 lanes. */
export function keccakPermute({ exports, window }: FieldCalls, lanes: BigUint64Array): void {
  window.limbs.set(lanes.subarray(0, 25));
  exports.keccakPermute();
  lanes.set(window.limbs.subarray(0, 25));
}

/** Folds blocks of 16 words into the 8 words of a SHA-256 state, in place. */
export function sha256Compress(
  { exports, words }: FieldCalls,
  state: Uint32Array,
  blocks: Uint32Array,
): void {
  const blocksPerCall = Math.floor(words.length / 16) - 1;
  words.set(state.subarray(0, 8));
  for (let from = 0; from < blocks.length; from += blocksPerCall * 16) {
    const part = blocks.subarray(from, from + blocksPerCall * 16);
    words.set(part, 8);
    exports.sha256Blocks(Math.floor(part.length / 16));
  }
  state.set(words.subarray(0, 8));
}

/** One BLAKE2s compression in place; `byteCount` counts up to the end of this block. */
export function blake2sCompress(
  { exports, words }: FieldCalls,
  state: Uint32Array,
  block: Uint32Array,
  byteCount: number,
  isLast: boolean,
): void {
  words.set(state.subarray(0, 8));
  words.set(block.subarray(0, 16), 8);
  exports.blake2sCompress(byteCount, isLast ? 1 : 0);
  state.set(words.subarray(0, 8));
}

/** Blake2s of felts in the encoding of compiled class hashes (since protocol 0.14.1). */
export function blake2sFelts({ exports, window }: FieldCalls, values: readonly Felt[]): Felt {
  exports.blake2sBegin();
  for (let from = 0; from < values.length; from += window.capacity) {
    const count = Math.min(window.capacity, values.length - from);
    window.writeMany(0, values, from, count);
    exports.blake2sAbsorb(count);
  }
  exports.blake2sFinish();
  return window.read(0);
}
