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

/** The rows of a store that are read. */
function watched(store: TrieStore): { readonly store: TrieStore; readonly rows: Set<number> } {
  const rows = new Set<number>();
  return {
    rows,
    store: {
      root: (name) => store.root(name),
      nextNodeId: () => store.nextNodeId(),
      node(id) {
        rows.add(id);
        return store.node(id);
      },
    },
  };
}

function apply(store: TrieStore, diff: StateDiff) {
  const contracts = { nonceAt: () => 1n, classHashAt: () => 2n };
  return applyStateDiff({ diff, store, contracts, pedersen: PEDERSEN, alwaysHashClasses: true })
    .changes;
}

test("a visit reads the rows that applying the changes reads, and no others", () => {
  let visited = 0;
  assertProperty(
    fc.property(fc.array(diffs, { minLength: 2, maxLength: 5 }), (sequence) => {
      const store = new MemoryTrieStore();
      for (const diff of sequence) {
        const visit = watched(store);
        visitStateDiff(visit.store, diff);
        const update = watched(store);
        const changes = apply(update.store, diff);
        expect(visit.rows).toEqual(update.rows);
        visited += visit.rows.size;
        store.commit(changes);
      }
    }),
    { numRuns: 60 },
  );
  expect(visited).toBeGreaterThan(1000);
});
