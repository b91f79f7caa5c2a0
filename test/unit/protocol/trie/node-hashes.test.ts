import { expect, test } from "bun:test";
import fc from "fast-check";
import { NodeHashes, PEDERSEN, type LeafUpdate, type TrieRoot } from "#protocol/trie/index.ts";
import { HashRounds } from "#protocol/trie/hashing.ts";
import { BinaryNode, UNRESOLVED } from "#protocol/trie/node.ts";
import { PendingTrie } from "#protocol/trie/update.ts";
import { MemoryTrieStore } from "#test/helpers/memory-trie-store.ts";
import { assertProperty } from "#test/helpers/property.ts";

const HEIGHT = 251;
const ENTRY_BYTES = 41;

const key = fc
  .tuple(fc.bigInt({ min: 0n, max: 31n }), fc.integer({ min: 0, max: HEIGHT - 5 }))
  .map(([bits, shift]) => bits << BigInt(shift));
const batch = fc
  .array(fc.tuple(key, fc.bigInt({ min: 0n, max: 3n })), { maxLength: 16 })
  .map((entries) => new Map(entries));

/** Rows and roots of a trie that grows by batches, with room for `hashes` hashes in memory. */
function grow(batches: readonly ReadonlyMap<bigint, bigint>[], hashes: number) {
  const store = new MemoryTrieStore(hashes * ENTRY_BYTES);
  let root: TrieRoot | undefined;
  let id = 0;
  const removed: number[][] = [];
  for (const updates of batches) {
    const sorted = [...updates].sort(([a], [b]): number => (a < b ? -1 : 1)) satisfies LeafUpdate[];
    const rounds = new HashRounds(PEDERSEN, store.hashes);
    const trie = new PendingTrie(store, root, HEIGHT, sorted, rounds);
    rounds.run();
    const updated = trie.finish(() => ++id);
    root = updated.root ?? undefined;
    removed.push([...updated.removed]);
    store.commit({ added: updated.added, removed: [], roots: [], lastNodeId: id });
  }
  return { root, rows: store.rows, removed };
}

test("rows, roots and removals do not depend on the number of hashes in memory", () => {
  assertProperty(
    fc.property(fc.array(batch, { maxLength: 6 }), (batches) => {
      const none = grow(batches, 0);
      expect(grow(batches, 3)).toEqual(none);
      expect(grow(batches, 10_000)).toEqual(none);
    }),
  );
});

test("NodeHashes returns a hash only for its own id, also after its slot is reused", () => {
  const hashes = new NodeHashes(4 * ENTRY_BYTES);
  const of = (id: number): BinaryNode => new BinaryNode(9, new Uint8Array(32), 0, id, UNRESOLVED);
  hashes.set(6, new Uint8Array(34).fill(7), 2, 3);
  const [known, other] = [of(6), of(2)];
  expect([hashes.fill(known), hashes.fill(other)]).toEqual([true, false]);
  hashes.set(2, new Uint8Array(32).fill(9), 0, 0);
  expect(hashes.fill(of(6))).toBe(false);
  expect(known).toMatchObject({ hash: new Uint8Array(32).fill(7), hashAt: 0, cost: 3, rank: 0 });
  hashes.clear();
  expect(hashes.fill(of(2))).toBe(false);
});

test("NodeHashes without capacity keeps nothing", () => {
  const hashes = new NodeHashes(0);
  hashes.set(1, new Uint8Array(32), 0, 0);
  expect(hashes.fill(new BinaryNode(9, new Uint8Array(32), 0, 1, UNRESOLVED))).toBe(false);
});
