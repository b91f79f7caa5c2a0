import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { StorageError } from "#base/errors/index.ts";
import {
  leafAt,
  type LeafUpdate,
  PEDERSEN,
  replacedRows,
  type TrieRoot,
  verifyTrie,
} from "#protocol/trie/index.ts";
import { MemoryTrieStore } from "#test/helpers/memory-trie-store.ts";
import { assertProperty } from "#test/helpers/property.ts";
import { updateTrie } from "#test/helpers/update-trie.ts";

const HEIGHT = 251;

/** Keys that share prefixes and suffixes of many lengths. */
const keys = fc.uniqueArray(
  fc
    .tuple(fc.bigInt({ min: 0n, max: 15n }), fc.integer({ min: 0, max: HEIGHT - 4 }))
    .map(([bits, shift]) => bits << BigInt(shift)),
  { minLength: 1, maxLength: 24 },
);

/** A trie that grows by updates; removed rows stay stored. */
class Grown {
  readonly store = new MemoryTrieStore();
  root: TrieRoot | undefined;
  lastId = 0;

  update(changes: Iterable<LeafUpdate>) {
    const sorted = [...changes].sort(([a], [b]) => (a < b ? -1 : 1));
    const next = (): number => ++this.lastId;
    const updated = updateTrie(this.store, this.root, HEIGHT, PEDERSEN, sorted, next);
    this.store.insert(updated.added);
    this.root = updated.root ?? undefined;
    return updated;
  }

  verify(knownUpTo: number) {
    const leaves = new Map<bigint, bigint>();
    const known = new Set<number>();
    if (this.root === undefined) return { leaves, known, count: 0 };
    const steps = verifyTrie({
      source: this.store,
      root: this.root,
      height: HEIGHT,
      hash: PEDERSEN,
      knownUpTo,
      onLeaf: (key, value) => void leaves.set(key, value),
      onKnown: (id) => void known.add(id),
    });
    for (;;) {
      const step = steps.next();
      if (step.done === true) return { leaves, known, count: step.value };
    }
  }
}

describe("verifyTrie", () => {
  test("returns all leaves, counts added nodes and finds replaced ones", () => {
    assertProperty(
      fc.property(keys, keys, fc.nat(3), (first, second, zeros) => {
        const trie = new Grown();
        const leaves = new Map(first.map((key, i) => [key, BigInt(i) + 1n]));
        const before = trie.update(leaves);
        expect(trie.verify(0)).toMatchObject({ leaves, count: before.added.length });

        const mark = trie.lastId;
        const oldRoot = trie.root;
        const changes = second.map((key, i): LeafUpdate => [key, i % 4 < zeros ? 0n : 900n]);
        const after = trie.update(changes);
        for (const [key, value] of changes) {
          if (value === 0n) leaves.delete(key);
          else leaves.set(key, value);
        }
        const { known, count } = trie.verify(mark);
        expect(count).toBe(after.added.length);
        if (oldRoot !== undefined && trie.root?.id !== oldRoot.id) {
          const isKept = (id: number): boolean => known.has(id);
          const replaced = replacedRows(trie.store, oldRoot, HEIGHT, isKept, Infinity);
          expect(new Set(replaced)).toEqual(new Set(after.removed));
        }
        expect(trie.verify(0).leaves).toEqual(leaves);
        for (const key of [...first, ...second]) {
          expect(leafAt(trie.store, trie.root, HEIGHT, key)).toBe(leaves.get(key) ?? 0n);
        }
      }),
    );
  });

  test("detects every flipped bit of every row", () => {
    const trie = new Grown();
    trie.update(
      [0n, 1n, 2n, 5n, 1n << 100n, (1n << 250n) + 7n].map((key, i) => [key, BigInt(i) + 1n]),
    );
    for (const [id, bytes] of [...trie.store.rows]) {
      for (let bit = 0; bit < bytes.length * 8; bit++) {
        const wrong = bytes.slice();
        wrong[bit >> 3] = (wrong[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        trie.store.rows.set(id, wrong);
        expect(() => trie.verify(0)).toThrow(StorageError);
      }
      trie.store.rows.delete(id);
      expect(() => trie.verify(0)).toThrow(StorageError);
      trie.store.rows.set(id, bytes);
    }
    expect(trie.verify(0).leaves.size).toBe(6);
  });
});
