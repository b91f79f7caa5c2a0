import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { blake2s } from "@noble/hashes/blake2.js";
import { keccak_256, keccakP } from "@noble/hashes/sha3.js";
import fc from "fast-check";
import { assertProperty } from "#test/helpers/property.ts";
import { P } from "#test/helpers/reference/field.ts";
import { describeBuilds, felts } from "./builds.ts";

const SHA256_START = new Uint32Array([
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
]);

/** Message words of SHA-256, padded here. */
function sha256Blocks(data: Uint8Array): Uint32Array {
  const padded = new Uint8Array(Math.ceil((data.length + 9) / 64) * 64);
  padded.set(data);
  padded[data.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 4, data.length * 8);
  return Uint32Array.from({ length: padded.length / 4 }, (_, i) => view.getUint32(4 * i));
}

/** Byte encoding of felts for Blake2s compiled class hashes. */
function encodeFelts(values: readonly bigint[]): Uint8Array {
  const words = values.flatMap((value) =>
    value < 1n << 63n
      ? [value >> 32n, value & 0xffffffffn]
      : Array.from({ length: 8 }, (_, i) => {
          const word = (value >> BigInt(32 * (7 - i))) & 0xffffffffn;
          return i === 0 ? word | 0x80000000n : word;
        }),
  );
  const view = new DataView(new ArrayBuffer(words.length * 4));
  words.forEach((word, i) => view.setUint32(4 * i, Number(word), true));
  return new Uint8Array(view.buffer);
}

describeBuilds("digests", (kernel) => {
  test("Keccak-256 of empty data is the published value", () => {
    // Ethereum yellow paper, KEC(()).
    expect(kernel.keccak256(new Uint8Array()).toHex()).toBe(
      "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470",
    );
  });

  test("Keccak-256 equals @noble/hashes around block boundaries", () => {
    for (const length of [1, 135, 136, 137, 271, 272, 273, 1000]) {
      const data = Uint8Array.from({ length }, (_, i) => (i * 7 + length) & 0xff);
      expect(kernel.keccak256(data)).toEqual(keccak_256(data));
    }
  });

  test("Keccak-256 of data longer than the window equals @noble/hashes", () => {
    const data = Uint8Array.from({ length: 600_001 }, (_, i) => (i * i) & 0xff);
    expect(kernel.keccak256(data)).toEqual(keccak_256(data));
  });

  test("Keccak-f[1600] equals @noble/hashes", () => {
    const lanes = BigUint64Array.from({ length: 25 }, (_, i) => BigInt(i) * 0x0123456789abcdefn);
    const expected = new BigUint64Array(lanes);
    keccakP(new Uint32Array(expected.buffer));
    kernel.keccakPermute(lanes);
    expect(lanes).toEqual(expected);
  });

  test("SHA-256 by blocks equals node:crypto", () => {
    for (const length of [0, 3, 55, 56, 64, 200]) {
      const data = Uint8Array.from({ length }, (_, i) => i + length);
      const state = new Uint32Array(SHA256_START);
      kernel.sha256Compress(state, sha256Blocks(data));
      const hex = Array.from(state, (word) => word.toString(16).padStart(8, "0")).join("");
      expect(hex).toBe(createHash("sha256").update(data).digest("hex"));
    }
  });

  test("Blake2s compression gives the digest of RFC 7693, appendix B", () => {
    const state = new Uint32Array(SHA256_START);
    state[0] = 0x6a09e667 ^ 0x01010020;
    const block = new Uint32Array(16);
    block[0] = 0x00636261;
    kernel.blake2sCompress(state, block, 3, true);
    expect(new Uint8Array(state.buffer).toHex()).toBe(
      "508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982",
    );
  });

  test("Blake2s of felts equals @noble/hashes over their encoding", () => {
    const edges = fc.constantFrom((1n << 63n) - 1n, 1n << 63n, 1n << 64n);
    assertProperty(
      fc.property(fc.array(fc.oneof(felts, edges), { maxLength: 40 }), (values) => {
        const digest = blake2s(encodeFelts(values)).toReversed();
        expect(kernel.blake2sFelts(values)).toBe(BigInt(`0x${digest.toHex()}`) % P);
      }),
    );
  });

  test("Blake2s of more felts than the window holds equals @noble/hashes", () => {
    const values = Array.from({ length: 8200 }, (_, i) => BigInt(i) ** 9n);
    const digest = blake2s(encodeFelts(values)).toReversed();
    expect(kernel.blake2sFelts(values)).toBe(BigInt(`0x${digest.toHex()}`) % P);
  });
});
