import { expect, test } from "bun:test";
import { RECENT_HASHES, RecentHashes } from "#services/sequencer/recent-hashes.ts";
import { testBlockHash, testHeader } from "#test/helpers/blocks.ts";

/** The hashes, with the requests to a chain that has blocks up to 2. */
function hashes() {
  const asked: number[] = [];
  const recent = new RecentHashes({
    ancestorHeader(number) {
      asked.push(number);
      return number <= 2 ? testHeader(number) : undefined;
    },
  });
  return { asked, recent };
}

test("returns the hash of an announced block immediately", () => {
  const { asked, recent } = hashes();
  recent.add(3, 0x3n);
  expect([recent.hashOf(3), asked]).toEqual([0x3n, []]);
});

test("reads an older hash from the chain, and returns nothing for a future one", () => {
  const { recent } = hashes();
  expect(recent.hashOf(2)).toBe(testBlockHash(2));
  expect(recent.hashOf(3)).toBeUndefined();
});

test("keeps only the newest hashes", () => {
  const { asked, recent } = hashes();
  for (let number = 0; number <= RECENT_HASHES; number++) recent.add(number, BigInt(number));
  expect([recent.hashOf(1), recent.hashOf(RECENT_HASHES), asked]).toEqual([1n, 32n, []]);
  expect(recent.hashOf(0)).toBe(testBlockHash(0));
  expect(asked).toEqual([0]);
});
