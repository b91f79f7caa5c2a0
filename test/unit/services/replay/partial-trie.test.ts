import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  type LeafUpdate,
  POSEIDON,
  type ProofNode,
  proveKeys,
  STATE_TRIE_HEIGHT,
} from "#protocol/trie/index.ts";
import { DifferenceFound } from "#services/replay/difference.ts";
import { PartialTrie } from "#services/replay/partial-trie.ts";
import { MemoryTrieStore } from "#test/helpers/memory-trie-store.ts";
import { assertProperty } from "#test/helpers/property.ts";
import { naiveTrieRoot } from "#test/helpers/reference/trie.ts";
import { updateTrie } from "#test/helpers/update-trie.ts";

/** Keys that share prefixes and suffixes of many lengths. */
const key = fc
  .tuple(fc.bigInt({ min: 0n, max: 15n }), fc.integer({ min: 0, max: STATE_TRIE_HEIGHT - 4 }))
  .map(([bits, shift]) => bits << BigInt(shift));

/** A complete trie, and proofs of it. */
function whole(leaves: ReadonlyMap<bigint, bigint>) {
  const store = new MemoryTrieStore();
  const updates: LeafUpdate[] = [...leaves].sort(([a], [b]) => (a < b ? -1 : 1));
  let id = 0;
  const { root, added } = updateTrie(
    store,
    undefined,
    STATE_TRIE_HEIGHT,
    POSEIDON,
    updates,
    () => ++id,
  );
  store.insert(added);
  return {
    rootHash: root?.hash ?? 0n,
    prove: (keys: readonly bigint[]): ProofNode[] =>
      proveKeys(store, root ?? undefined, STATE_TRIE_HEIGHT, keys, POSEIDON),
  };
}

function partial(leaves: ReadonlyMap<bigint, bigint>, known: readonly bigint[]) {
  const { rootHash, prove } = whole(leaves);
  const trie = new PartialTrie("trie", rootHash, POSEIDON);
  trie.add(prove(known));
  return { trie, prove };
}

const numbered = (keys: readonly bigint[]): Map<bigint, bigint> =>
  new Map(keys.map((each, i) => [each, BigInt(i) + 1n]));

describe("a trie with only the paths to some keys", () => {
  test("has the values of these keys, and none without a leaf", () => {
    assertProperty(
      fc.property(
        fc.array(key, { maxLength: 12 }),
        fc.array(key, { maxLength: 6 }),
        (has, asks) => {
          const leaves = numbered(has);
          const { trie } = partial(leaves, asks);
          for (const each of asks) expect(trie.get(each)).toBe(leaves.get(each) ?? 0n);
        },
      ),
    );
  });

  test("has the root of the whole trie after updates, with at most one more request for deletions", () => {
    const change = fc.tuple(key, fc.bigInt({ min: 0n, max: 2n }));
    assertProperty(
      fc.property(
        fc.array(key, { maxLength: 12 }),
        fc.array(change, { maxLength: 8 }),
        fc.nat(),
        (has, more, taken) => {
          const leaves = numbered(has);
          // Deletes some of the leaves.
          const gone = has.filter((_, i) => ((taken >> (i % 30)) & 1) === 1);
          const changes = new Map([...more, ...gone.map((each) => [each, 0n] as const)]);
          const { trie, prove } = partial(leaves, [...changes.keys()]);
          let result = trie.update(changes);
          if (result.kind === "lacking") {
            trie.add(prove(result.keys));
            result = trie.update(changes);
          }
          const after = new Map([...leaves, ...changes]);
          for (const [each, value] of after) if (value === 0n) after.delete(each);
          const rootHash = naiveTrieRoot(after, STATE_TRIE_HEIGHT, POSEIDON.pair);
          expect(result).toEqual({ kind: "updated", rootHash });
        },
      ),
    );
  });

  test("is not changed by an update", () => {
    const { trie } = partial(numbered([1n, 2n]), [1n]);
    const { rootHash } = trie;
    trie.update([[1n, 9n]]);
    expect([trie.rootHash, trie.get(1n)]).toEqual([rootHash, 1n]);
    expect(trie.update([])).toEqual({ kind: "updated", rootHash });
  });

  test("requests the sibling of a deleted leaf only", () => {
    const { trie } = partial(numbered([0b100n, 0b111n]), [0b100n]);
    expect(trie.update([[0b100n, 5n]]).kind).toBe("updated");
    expect(trie.update([[0b100n, 0n]])).toEqual({ kind: "lacking", keys: [0b110n] });
  });
});

describe("an invalid proof", () => {
  const leaves = numbered([1n, 6n, 1n << 250n]);
  const { rootHash, prove } = whole(leaves);
  const honest = prove([6n]);

  test("is refused if a node has another hash", () => {
    for (const [i, node] of honest.entries()) {
      const forged: ProofNode =
        node.kind === "binary" ? { ...node, left: node.left + 1n } : { ...node, child: 1n };
      const trie = new PartialTrie("trie", rootHash, POSEIDON);
      expect(() => trie.add(honest.with(i, forged))).toThrow(DifferenceFound);
    }
  });

  test("proves nothing if a node is missing, for reads and updates", () => {
    for (const i of honest.keys()) {
      const trie = new PartialTrie("trie", rootHash, POSEIDON);
      trie.add(honest.toSpliced(i, 1));
      expect(() => trie.get(6n)).toThrow(/proof of 0x6 in the trie/);
      expect(() => trie.update([[6n, 1n]])).toThrow(DifferenceFound);
    }
  });

  test("proves nothing if an edge is longer than the rest of the key", () => {
    const child: ProofNode = {
      kind: "edge",
      hash: (POSEIDON.pair(1n, 0n) + 251n) % (2n ** 251n + 17n * 2n ** 192n + 1n),
      path: 0n,
      length: 251,
      child: 1n,
    };
    const top: ProofNode = {
      kind: "binary",
      hash: POSEIDON.pair(child.hash, 7n),
      left: child.hash,
      right: 7n,
    };
    const trie = new PartialTrie("trie", top.hash, POSEIDON);
    trie.add([top, child]);
    expect(() => trie.get(1n)).toThrow(DifferenceFound);
    expect(() => trie.update([[1n, 2n]])).toThrow(DifferenceFound);
  });
});
