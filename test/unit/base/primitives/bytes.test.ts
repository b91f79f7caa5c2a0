import { expect, test } from "bun:test";
import { bytesFromFelt, feltFromBytes, readFelt, writeFelt } from "#base/primitives/index.ts";

/** The bytes 1 to 32 as a number, and as bytes. */
const VALUE = 0x0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20n;
const BYTES = Uint8Array.from({ length: 32 }, (_, i) => i + 1);

test("a felt is 32 big-endian bytes", () => {
  expect(bytesFromFelt(VALUE)).toEqual(BYTES);
  expect(feltFromBytes(BYTES)).toBe(VALUE);
});

test.each([0, 3, 40])(
  "a felt is written and read at offset %p, and nothing next to it",
  (offset) => {
    const bytes = new Uint8Array(80);
    const view = new DataView(bytes.buffer);
    writeFelt(view, offset, VALUE);
    expect(bytes.subarray(offset, offset + 32)).toEqual(BYTES);
    expect(bytes.filter((byte) => byte !== 0)).toHaveLength(32);
    expect(readFelt(view, offset)).toBe(VALUE);
  },
);

test("a part of a buffer is read from its own start", () => {
  const buffer = new Uint8Array(50);
  buffer.set(BYTES, 9);
  expect(feltFromBytes(buffer.subarray(9, 41))).toBe(VALUE);
});
