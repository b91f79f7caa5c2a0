import type { Felt } from "#base/primitives/index.ts";
import { fieldKernel } from "./kernel.ts";

const MASK_250 = (1n << 250n) - 1n;
const TEXT_ENCODER = new TextEncoder();

/** Keccak-256 with Ethereum's padding, 32 bytes. */
export function keccak256(bytes: Uint8Array): Uint8Array {
  return fieldKernel().keccak256(bytes);
}

/** SHA-256, 32 bytes. */
export function sha256(bytes: Uint8Array): Uint8Array {
  // `node:crypto` would load the streams of Node in each thread.
  return new Uint8Array(new Bun.CryptoHasher("sha256").update(bytes).digest());
}

/** `sn_keccak`: the low 250 bits of Keccak-256; text is hashed as UTF-8. */
export function starknetKeccak(data: Uint8Array | string): Felt {
  const bytes = typeof data === "string" ? TEXT_ENCODER.encode(data) : data;
  return BigInt(`0x${keccak256(bytes).toHex()}`) & MASK_250;
}

/** Keccak-f[1600] over 25 lanes, in place; lane `x + 5 y`. For the keccak syscall and builtin. */
export function keccakPermutation(lanes: BigUint64Array): void {
  fieldKernel().keccakPermute(lanes);
}

/**
 * SHA-256 compression of 16-word blocks into a state of 8 words, in place; for the `sha256_process_block`
 * syscall.
 */
export function sha256Compress(state: Uint32Array, blocks: Uint32Array): void {
  fieldKernel().sha256Compress(state, blocks);
}

/**
 * Blake2s-256 of felts, used by compiled class hashes since protocol 0.14.1.
 *
 * A felt below 2^63 becomes two 32-bit words (high, low); any other becomes eight words, highest first, with
 * the top bit of the first set. Words are little-endian bytes; the digest is read little-endian mod P.
 * Source: starkware-libs/sequencer, `blake2s` hash of compiled classes.
 */
export function blake2sFelts(values: readonly Felt[]): Felt {
  return fieldKernel().blake2sFelts(values);
}
