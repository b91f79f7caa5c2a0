import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { FIELD_PRIME, type Felt, hexFromFelt } from "#base/primitives/index.ts";
import { type FeltDigest, FeltDigester } from "#io/client/index.ts";

const BLOCK = 1024;

/** Felts of many sizes. */
function manyFelts(length: number): Felt[] {
  return Array.from({ length }, (_, i) => (BigInt(i) * 0x1234567n) ** BigInt(i % 9) % FIELD_PRIME);
}

function digestOf(felts: readonly Felt[]): FeltDigest {
  const digester = new FeltDigester();
  for (const felt of felts) digester.add(felt);
  return digester.digest();
}

/** The digest as its docblock defines it, computed with Node's hash. */
function expectedText(felts: readonly Felt[]): string {
  const encoded = felts.map((felt) =>
    Uint8Array.fromHex(felt.toString(16).padStart(64, "0")).toReversed(),
  );
  const whole = createHash("sha256");
  for (let at = 0; at < felts.length; at += BLOCK) {
    const block = createHash("sha256");
    for (const bytes of encoded.slice(at, at + BLOCK)) block.update(bytes);
    whole.update(block.digest());
  }
  return whole.digest("hex");
}

describe("FeltDigester", () => {
  test.each([0, 1, 2, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK, 5 * BLOCK + 7])(
    "hashes %d felts as SHA-256 over block hashes, from felts and from hex",
    (length) => {
      const felts = manyFelts(length);
      const digester = new FeltDigester();
      for (const felt of felts) {
        const bytes = new TextEncoder().encode(hexFromFelt(felt));
        expect(digester.addHex(bytes, 0, bytes.byteLength)).toBe(true);
      }
      const digest = digester.digest();
      expect([digest.length, digest.text]).toEqual([length, expectedText(felts)]);
      expect(digestOf(felts).text).toBe(digest.text);
      expect(digestOf(felts).firstDifference(digest)).toBeUndefined();
    },
  );

  test("names the block of the first difference", () => {
    const felts = manyFelts(2 * BLOCK + 500);
    for (const [index, block] of [
      [0, [0, 1023]],
      [1023, [0, 1023]],
      [1024, [1024, 2047]],
      [2048, [2048, 2547]],
      [2547, [2048, 2547]],
    ] as const) {
      const other = felts.with(index, 0xbadn);
      expect(digestOf(felts).firstDifference(digestOf(other))).toEqual(block);
      expect(digestOf(other).firstDifference(digestOf(felts))).toEqual(block);
    }
  });

  test("distinguishes order and trailing zeros", () => {
    const texts = [
      [1n, 2n],
      [2n, 1n],
      [1n, 2n, 0n],
      [1n << 64n, 2n],
    ].map((felts) => digestOf(felts).text);
    expect(new Set(texts).size).toBe(4);
  });

  test("clear() drops earlier felts, also after invalid hex", () => {
    const digester = new FeltDigester();
    for (const length of [3 * BLOCK, 5, BLOCK, 2 * BLOCK + 1, 1]) {
      digester.clear();
      for (let i = 0; i < length; i++) digester.add(FIELD_PRIME - 1n);
      const refused = new TextEncoder().encode(`0xg${"f".repeat(60)}`);
      expect(digester.addHex(refused, 0, refused.byteLength)).toBe(false);
      digester.clear();
      const small = Array.from({ length: length + 2 }, () => 7n);
      for (const felt of small) digester.add(felt);
      expect(digester.digest().text).toBe(expectedText(small));
    }
  });

  test("returns the felts when they fit in one block", () => {
    const digester = new FeltDigester();
    const felts = manyFelts(BLOCK);
    for (const felt of felts) digester.add(felt);
    expect(digester.felts()).toEqual(felts);
  });
});
