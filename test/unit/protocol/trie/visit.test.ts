import { expect, test } from "bun:test";
import fc from "fast-check";
import { EMPTY_STATE_DIFF, type StateDiff } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { applyStateDiff, PEDERSEN, type TrieStore, visitStateDiff } from "#protocol/trie/index.ts";
import { MemoryTrieStore } from "#test/helpers/memory-trie-store.ts";
import { assertProperty } from "#test/helpers/property.ts";

const keys = fc.oneof(
  fc.bigInt({ min: 0n, max: 40n }),
  fc.bigInt({ min: 0n, max: 2n ** 251n - 1n }),
);
const maps = fc
  .array(fc.tuple(keys, fc.bigInt({ min: 0n, max: 3n })), { maxLength: 12 })
  .map((entries): ReadonlyMap<Felt, Felt> => new Map(entries));
const diffs: fc.Arbitrary<StateDiff> = fc
  .record({ first: maps, second: maps, nonces: maps, classes: maps })
  .map(({ first, second, nonces, classes }) => ({
    ...EMPTY_STATE_DIFF,
    storageDiffs: new Map([
      [7n, first],
      [2n ** 250n, second],
    ]),
    nonces,
    declaredClasses: classes,
  }));

/** Wraps a store to record the rows that are read. */
function watched(store: TrieStore): { readonly store: TrieStore; readonly rows: Set<number> } {
  const rows = new Set<number>();
  return {
    rows,
    store: {
      hashes: store.hashes,
      root: (name) => store.root(name),
      nextNodeId: () => store.nextNodeId(),
      node(id) {
        rows.add(id);
        return store.node(id);
      },
    },
  };
}

function apply(store: TrieStore, diff: StateDiff, nonce: Felt) {
  const contracts = { nonceAt: () => nonce, classHashAt: () => 2n };
  return applyStateDiff({ diff, store, contracts, pedersen: PEDERSEN, alwaysHashClasses: true })
    .changes;
}

/** The same keys with new non-zero values. */
function changing(diff: StateDiff, round: number): StateDiff {
  const fresh = (entries: ReadonlyMap<Felt, Felt>): ReadonlyMap<Felt, Felt> =>
    new Map([...entries].map(([key, value]) => [key, BigInt(10 * round + 1) + value]));
  const { storageDiffs, nonces, declaredClasses } = diff;
  return {
    ...diff,
    storageDiffs: new Map([...storageDiffs].map(([address, entries]) => [address, fresh(entries)])),
    nonces: fresh(nonces),
    declaredClasses: fresh(declaredClasses),
  };
}

/** Rows that a visit reads, and rows that applying the changes reads, without caches. */
function readsOf(store: MemoryTrieStore, diff: StateDiff, nonce: Felt) {
  const visit = watched(store);
  visitStateDiff(visit.store, diff);
  const update = watched(store);
  const changes = apply(update.store, diff, nonce);
  return { visited: visit.rows, applied: update.rows, changes };
}

test("visitStateDiff reads every row that applying the changes reads", () => {
  let visited = 0;
  assertProperty(
    fc.property(fc.array(diffs, { minLength: 2, maxLength: 5 }), (sequence) => {
      const store = new MemoryTrieStore();
      for (const diff of sequence) {
        const reads = readsOf(store, diff, 1n);
        expect(reads.applied.isSubsetOf(reads.visited)).toBe(true);
        visited += reads.visited.size;
        store.commit(reads.changes);
      }
    }),
    { numRuns: 60, minRuns: 40 },
  );
  expect(visited).toBeGreaterThan(1000);
});

test("visitStateDiff reads no other rows if every leaf changes", () => {
  let visited = 0;
  assertProperty(
    fc.property(fc.array(diffs, { minLength: 2, maxLength: 5 }), (sequence) => {
      const store = new MemoryTrieStore();
      for (const [round, diff] of sequence.entries()) {
        const reads = readsOf(store, changing(diff, round), BigInt(round + 1));
        expect(reads.visited).toEqual(reads.applied);
        visited += reads.visited.size;
        store.commit(reads.changes);
      }
    }),
    { numRuns: 60, minRuns: 40 },
  );
  expect(visited).toBeGreaterThan(1000);
});

test("visitStateDiff caches the hashes of sibling nodes", () => {
  const store = new MemoryTrieStore(1 << 20);
  const slots = Array.from({ length: 64 }, (_, i): [Felt, Felt] => [BigInt(i) << 240n, 1n]);
  const diffOf = (entries: [Felt, Felt][]): StateDiff => ({
    ...EMPTY_STATE_DIFF,
    storageDiffs: new Map([[7n, new Map(entries)]]),
  });
  store.commit(apply(store, diffOf(slots), 1n));
  const [first] = slots;
  const change = diffOf(first === undefined ? [] : [[first[0], 9n]]);
  store.hashes.clear();
  const cold = watched(store);
  apply(cold.store, change, 2n);
  store.hashes.clear();
  visitStateDiff(store, change);
  const warm = watched(store);
  apply(warm.store, change, 2n);
  // The remaining rows are the nodes on the path: one per level of 64 leaves, and the roots.
  expect(warm.rows.size).toBeLessThan(cold.rows.size);
  expect(warm.rows.size).toBeLessThanOrEqual(8);
});
