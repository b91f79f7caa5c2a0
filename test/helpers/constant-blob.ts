import { type Hex, toHex } from "viem";

/**
 * EIP-4844 blob whose polynomial is constant, with its commitment, a compressed point of BLS12-381,
 * and its value.
 */
export interface ConstantBlob {
  readonly blob: Hex;
  readonly commitment: Hex;
  readonly value: bigint;
}

const BLOB_WORDS = 4096;

/** The point at infinity: the proof of every evaluation of a constant polynomial. */
export const INFINITY: Hex = `0xc0${"00".repeat(47)}`;

/**
 * EIP-4844 blob of zeros. Commitments to constant polynomials are multiples of the generator.
 * Source: consensus-spec-tests, `blob_to_kzg_commitment`, the blobs of zeros and of twos.
 */
export const ZEROS = blobOf(0n, INFINITY);
export const TWOS = blobOf(
  2n,
  "0xa572cbea904d67468808c8eb50a9450c9721db309128012543902d0ac358a62ae28f75bb8f1c7c42c39a8c5529bf0f4e",
);

function blobOf(value: bigint, commitment: Hex): ConstantBlob {
  const word = toHex(value, { size: 32 }).slice(2);
  return { blob: `0x${word.repeat(BLOB_WORDS)}`, commitment, value };
}

/**
 * Implementation of the KZG functions that viem requires, which works for blobs of zeros and of
 * twos only.
 */
export const CONSTANT_KZG = {
  blobToKzgCommitment: (blob: Uint8Array) =>
    Buffer.from((blob[31] === 0 ? ZEROS : TWOS).commitment.slice(2), "hex"),
  computeBlobKzgProof: () => Buffer.from(INFINITY.slice(2), "hex"),
};
