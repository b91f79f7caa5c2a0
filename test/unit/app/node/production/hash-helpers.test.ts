import { expect, test } from "bun:test";
import { EMPTY_STATE_DIFF } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { applyStateDiff, PEDERSEN, type TrieHash } from "#protocol/trie/index.ts";
import { startHashHelpers } from "#app/node/production/hash-helpers.ts";
import type { NodeSetup } from "#app/node/setup/setup.ts";
import { MemoryTrieStore } from "#test/helpers/memory-trie-store.ts";
import { stallBoundMs } from "#test/helpers/stall.ts";

const INIT = {
  setup: { startTimeoutMs: 30_000 } as NodeSetup,
  cancelFlag: new SharedArrayBuffer(4),
  memoryPermits: new SharedArrayBuffer(4),
  retainedMemory: new SharedArrayBuffer(4),
};
const NO_CONTRACTS = { nonceAt: () => 0n, classHashAt: () => 0n };

/** A pseudo-random felt of 251 bits. */
const scatter = (i: number): Felt =>
  (BigInt(i + 1) * 0x5851f42d4c957f2d14057b7ef767814f9e3779b97f4a7c15f39cc0605cedc834n) &
  ((1n << 251n) - 1n);

/** State roots of blocks that change many slots of some contracts. */
function roots(pedersen: TrieHash): readonly Felt[] {
  const store = new MemoryTrieStore();
  return [1, 2, 3].map((block) => {
    const storageDiffs = new Map(
      [7n, 8n, 9n].map((address) => {
        const slots = Array.from({ length: 500 }, (_, i) => i * block + Number(address));
        return [address, new Map(slots.map((slot) => [scatter(slot), BigInt(slot + block)]))];
      }),
    );
    const diff = { ...EMPTY_STATE_DIFF, storageDiffs };
    const input = { diff, store, pedersen, contracts: NO_CONTRACTS, alwaysHashClasses: true };
    const { stateRoot, changes } = applyStateDiff(input);
    store.commit(changes);
    return stateRoot;
  });
}

test("without helpers the thread uses its own Pedersen hash", async () => {
  const helpers = startHashHelpers(0, INIT, () => expect.unreachable());
  expect(helpers.pedersen).toBe(PEDERSEN);
  await helpers.stop();
});

test("state roots are the same before and after helpers have started", async () => {
  const failures: unknown[] = [];
  const helpers = startHashHelpers(3, INIT, (error) => failures.push(error));
  const expected = roots(PEDERSEN);
  expect(roots(helpers.pedersen)).toEqual(expected);
  await Bun.sleep(100);
  expect(roots(helpers.pedersen)).toEqual(expected);
  const longestMs = stallBoundMs(900);
  const startedMs = performance.now();
  await helpers.stop();
  // Helpers exit on their own; waiting for them to start must not delay that.
  expect(performance.now() - startedMs).toBeLessThan(longestMs);
  expect(failures).toEqual([]);
});
