import { expect, test } from "bun:test";
import { OwnKeys } from "#app/node/fork/own-keys.ts";
import type { OriginQuery } from "#io/origin/index.ts";

const read = (address: bigint, key: bigint): OriginQuery => ({
  kind: "storage",
  block: 9,
  address,
  key,
});

test("remembers the variables that accounts read in themselves", () => {
  const keys = new OwnKeys();
  keys.note(read(1n, 0x70n), 1n);
  expect(keys.keys).toEqual([0x70n]);
});

test("ignores reads of other contracts, and other values", () => {
  const keys = new OwnKeys();
  keys.note(read(5n, 0x70n), 1n);
  keys.note({ kind: "nonce", block: 9, address: 1n }, 1n);
  keys.note(undefined, 1n);
  expect(keys.keys).toEqual([]);
});

test("keeps the eight keys that were read last", () => {
  const keys = new OwnKeys();
  for (let key = 1n; key <= 8n; key++) keys.note(read(1n, key), 1n);
  keys.note(read(1n, 1n), 1n);
  keys.note(read(1n, 9n), 1n);
  expect(keys.keys).toEqual([3n, 4n, 5n, 6n, 7n, 8n, 1n, 9n]);
});
