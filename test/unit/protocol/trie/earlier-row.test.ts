import { expect, test } from "bun:test";
import { readEarlierRow } from "#protocol/trie/index.ts";

test("row ids of the previous format are big-endian numbers of six bytes", () => {
  const hash = new Uint8Array(32);
  const edge = (id: readonly number[]): number[] => [1, ...hash, ...id];
  const row = Uint8Array.from([0, ...edge([0, 0, 0, 0, 1, 2]), ...edge([1, 0, 0, 0, 0, 3])]);
  const { edges } = readEarlierRow(row, 9, 2);
  expect(edges.map(({ child }) => child.id)).toEqual([0x102, 0x1_00_00_00_00_03]);
});
