import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { InvariantError, StorageError } from "#base/errors/index.ts";
import { bytesFromFelt, type Felt, feltFromBytes, FIELD_PRIME } from "#base/primitives/index.ts";
import { MemoryTrieStore } from "#test/helpers/memory-trie-store.ts";
import { assertProperty } from "#test/helpers/property.ts";
import { naiveTrieRoot } from "#test/helpers/reference/trie.ts";
import { updateTrie } from "#test/helpers/update-trie.ts";
import { type LeafUpdate, type TrieHash, type TrieRoot } from "#protocol/trie/index.ts";

/** A cheap stand-in: the tests do not depend on the hash function. */
const mix = (left: Felt, right: Felt): Felt =>
  ((left * 0x9e3779b97f4a7c15f39cc0605cedc834n + right + 1n) *
    0xd1b54a32d192ed03a0761d6478bd642fn) %
  FIELD_PRIME;

const CHEAP: TrieHash = {
  name: "pedersen",
  pair: mix,
  pairs: (bytes) => {
    const hashes = new Uint8Array(bytes.length / 2);
    for (let at = 0; at < bytes.length; at += 64) {
      const [left, right] = [at, at + 32].map((i) => feltFromBytes(bytes.subarray(i, i + 32)));
      hashes.set(bytesFromFelt(mix(left ?? 0n, right ?? 0n)), at / 2);
    }
    return hashes;
  },
};

const sorted = (updates: ReadonlyMap<bigint, Felt>): LeafUpdate[] =>
  [...updates].sort(([a], [b]) => (a < b ? -1 : 1));

/** Batches of updates over few keys, so that they overlap; heights from tiny to the real one. */
const scenario = fc.constantFrom(3, 8, 64, 251).chain((height) => {
  const small = fc.bigInt({ min: 0n, max: 15n });
  const key = fc
    .tuple(small, fc.integer({ min: 0, max: height - 3 }))
    .map(([bits, shift]) => (bits << BigInt(shift)) & ((1n << BigInt(height)) - 1n));
  const value = fc.oneof(fc.constant(0n), fc.bigInt({ min: 1n, max: FIELD_PRIME - 1n }), small);
  const batch = fc.array(fc.tuple(key, value), { maxLength: 24 }).map((list) => new Map(list));
  return fc.record({ height: fc.constant(height), batches: fc.array(batch, { maxLength: 6 }) });
});

interface Version {
  readonly root: TrieRoot | undefined;
  readonly leaves: ReadonlyMap<bigint, Felt>;
}

/** Applies batches in sequence, as blocks would, and keeps every version. */
function grow(height: number, batches: readonly ReadonlyMap<bigint, Felt>[]) {
  const store = new MemoryTrieStore();
  const versions: Version[] = [];
  const removed: number[][] = [];
  let id = 0;
  let root: TrieRoot | undefined;
  let leaves: ReadonlyMap<bigint, Felt> = new Map();
  for (const batch of batches) {
    const update = updateTrie(store, root, height, CHEAP, sorted(batch), () => ++id);
    store.insert(update.added);
    removed.push([...update.removed]);
    root = update.root ?? undefined;
    leaves = new Map([...leaves, ...batch]);
    versions.push({ root, leaves });
  }
  return { store, versions, removed };
}

/** Ids of all rows that a root needs, found by removing every leaf. */
function reachable(store: MemoryTrieStore, height: number, { root, leaves }: Version): number[] {
  const zeros = new Map([...leaves.keys()].map((key) => [key, 0n]));
  const update = updateTrie(store, root, height, CHEAP, sorted(zeros), () => 0);
  expect(update.root).toBeNull();
  return [...update.removed].sort((a, b) => a - b);
}

describe("updateTrie", () => {
  test("yields the roots of the definition", () => {
    assertProperty(
      fc.property(scenario, ({ height, batches }) => {
        for (const { root, leaves } of grow(height, batches).versions) {
          expect(root?.hash ?? 0n).toBe(naiveTrieRoot(leaves, height, mix));
        }
      }),
      { numRuns: 300 },
    );
  });

  test("yields the root of the definition for a level with more hashes than one call takes", () => {
    // Two fifths of the pairs of leaves are incomplete: the lowest level has thousands of nodes
    // and edges.
    const keys = Array.from({ length: 1 << 15 }, (_, i) => i).filter((i) => i % 5 !== 0);
    const leaves = new Map(keys.map((key) => [BigInt(key), BigInt(key)]));
    let id = 0;
    const allocateId = (): number => ++id;
    const store = new MemoryTrieStore();
    const { root } = updateTrie(store, undefined, 15, CHEAP, sorted(leaves), allocateId);
    expect(root?.hash).toBe(naiveTrieRoot(leaves, 15, mix));
  });

  test("keeps exactly the rows that the newest root needs, apart from those reported as removed", () => {
    assertProperty(
      fc.property(scenario, ({ height, batches }) => {
        const { store, versions, removed } = grow(height, batches);
        const last = versions.at(-1);
        if (last === undefined) return;
        const gone = new Set(removed.flat());
        const live = [...store.rows.keys()].filter((id) => !gone.has(id));
        expect(reachable(store, height, last)).toEqual(live);
      }),
      { numRuns: 200 },
    );
  });

  test("reports a row as removed at most once", () => {
    assertProperty(
      fc.property(scenario, ({ height, batches }) => {
        const all = grow(height, batches).removed.flat();
        expect(new Set(all).size).toBe(all.length);
      }),
    );
  });

  test("keeps old roots readable after later updates", () => {
    assertProperty(
      fc.property(scenario, ({ height, batches }) => {
        const { store, versions } = grow(height, batches);
        for (const version of versions) {
          const probe = new Map([...version.leaves].map(([key]) => [key, 7n]));
          const update = updateTrie(store, version.root, height, CHEAP, sorted(probe), () => 0);
          expect(update.root?.hash ?? 0n).toBe(naiveTrieRoot(probe, height, mix));
        }
      }),
    );
  });

  test("changes nothing for values that are already set", () => {
    const { store, versions } = grow(251, [
      new Map([
        [5n, 1n],
        [9n, 2n],
      ]),
    ]);
    const root = versions[0]?.root;
    const update = updateTrie(store, root, 251, CHEAP, [[5n, 1n]], () => 99);
    expect(update).toEqual({ root: root ?? null, added: [], removed: [] });
  });

  test("stores small leaves compactly", () => {
    const keys = new Map([
      [0n, 1n],
      [1n << 250n, 2n],
    ]);
    const bytes = [...grow(251, [keys]).store.rows.values()];
    expect(bytes.map((row) => row.length)).toEqual([1 + 2 * (32 + 1 + 1)]);
  });

  test("rejects unsorted updates", () => {
    const updates: LeafUpdate[] = [
      [2n, 1n],
      [1n, 1n],
    ];
    const store = new MemoryTrieStore();
    expect(() => updateTrie(store, undefined, 8, CHEAP, updates, () => 1)).toThrow(InvariantError);
  });

  test("rejects keys above the height", () => {
    const store = new MemoryTrieStore();
    expect(() => updateTrie(store, undefined, 8, CHEAP, [[256n, 1n]], () => 1)).toThrow(
      InvariantError,
    );
  });

  test("throws a StorageError for a missing row", () => {
    const { store, versions } = grow(8, [
      new Map([
        [5n, 1n],
        [9n, 2n],
      ]),
    ]);
    store.rows.clear();
    expect(() => updateTrie(store, versions[0]?.root, 8, CHEAP, [[5n, 3n]], () => 99)).toThrow(
      StorageError,
    );
  });

  test("throws a StorageError for a damaged row", () => {
    const { store, versions } = grow(8, [
      new Map([
        [5n, 1n],
        [200n, 2n],
      ]),
    ]);
    const root = versions[0]?.root;
    const row = store.rows.get(root?.id ?? 0) ?? new Uint8Array();
    for (let length = 0; length < row.length; length++) {
      store.rows.set(root?.id ?? 0, row.slice(0, length));
      expect(() => updateTrie(store, root, 8, CHEAP, [[5n, 3n]], () => 99)).toThrow(StorageError);
    }
  });
});
