import { expect, test } from "bun:test";
import { packChunk, unpackChunk } from "#io/storage/transactions/chunk.ts";

const CHUNK = {
  transactions: [Uint8Array.of(1, 2, 3), new Uint8Array(200).fill(7)],
  receipts: [Uint8Array.from({ length: 150 }, (_, i) => (i * 37) % 256), Uint8Array.of(9)],
};

/** Fields of {@link CHUNK} as plain arrays. */
function plain({ transactions, receipts }: ReturnType<typeof unpackChunk>): number[][][] {
  return [transactions, receipts].map((items) => items.map((item) => [...item]));
}

test("a chunk is read as it was written", () => {
  expect(plain(unpackChunk(packChunk(CHUNK)))).toEqual(plain(CHUNK));
});

test("a chunk without a checksum, as older versions wrote it, is read", () => {
  const content = Bun.zstdDecompressSync(packChunk(CHUNK));
  expect(plain(unpackChunk(Bun.zstdCompressSync(content)))).toEqual(plain(CHUNK));
});

test("every flipped bit of a stored chunk is refused, or changes no transaction or receipt", () => {
  const packed = packChunk(CHUNK);
  const changed: string[] = [];
  for (let bit = 0; bit < packed.length * 8; bit++) {
    const damaged = Uint8Array.from(packed, (byte, i) =>
      i === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte,
    );
    try {
      if (!Bun.deepEquals(plain(unpackChunk(damaged)), plain(CHUNK))) changed.push(`bit ${bit}`);
    } catch {
      // Refused, as it should be.
    }
  }
  expect(changed).toEqual([]);
});
