import { describe, expect } from "bun:test";
import { readdirSync } from "node:fs";
import type { Felt } from "#base/primitives/index.ts";
import { fixturePath, fixtureTest, hasFixtures, readFixtureJson } from "#test/helpers/shared.ts";
import { expectSuite } from "#test/helpers/conformance/check.ts";
import { MemoryTrieStore } from "#test/helpers/memory-trie-store.ts";
import { updateTrie } from "#test/helpers/update-trie.ts";
import { verifyProof } from "#test/helpers/verify-proof.ts";
import { type LeafUpdate, PEDERSEN, type ProofNode, proveKeys } from "#protocol/trie/index.ts";

const sharedTest = fixtureTest("patricia");

interface PatriciaVector {
  readonly height: number;
  readonly root_hash: string;
  readonly initial_leaves: readonly number[];
  readonly modified_leaves_indices: readonly number[];
  readonly facts_storage: Readonly<Record<string, readonly string[]>>;
  readonly expected_nodes: Readonly<Record<string, readonly string[]>>;
}

/** Leaf value in the vectors: its index among all nodes of a full tree. */
const valueOf = (vector: PatriciaVector, key: number): Felt => BigInt(key + 2 ** vector.height);

/** Node in the format of the vectors: two children, or length, path and child. */
function preimage(node: ProofNode): readonly bigint[] {
  return node.kind === "binary"
    ? [node.left, node.right]
    : [BigInt(node.length), node.path, node.child];
}

const files = hasFixtures("patricia")
  ? readdirSync(fixturePath("patricia")).filter((name) => name.endsWith(".json"))
  : [];

for (const file of files) {
  describe(file, () => {
    const vector = readFixtureJson("patricia", file) as PatriciaVector;
    const build = (keys: readonly number[]) => {
      const store = new MemoryTrieStore();
      let id = 0;
      const updates = keys
        .toSorted((a, b) => a - b)
        .map((key): LeafUpdate => [BigInt(key), valueOf(vector, key)]);
      const built = updateTrie(store, undefined, vector.height, PEDERSEN, updates, () => ++id);
      store.insert(built.added);
      return { store, root: built.root ?? undefined };
    };
    const keys = vector.modified_leaves_indices.map(BigInt);

    sharedTest(`${file}: root matches`, () => {
      expect(build(vector.initial_leaves).root?.hash).toBe(BigInt(vector.root_hash));
    });
    sharedTest(`${file}: proof nodes match the expected ones`, () => {
      const { store, root } = build(vector.initial_leaves);
      for (const node of proveKeys(store, root, vector.height, keys, PEDERSEN)) {
        const expected = vector.expected_nodes[`0x${node.hash.toString(16)}`] ?? [];
        expect(preimage(node)).toEqual(expected.map(BigInt));
      }
    });
    sharedTest(`${file}: all expected nodes on the paths to the keys are proven`, () => {
      const { store, root } = build(vector.initial_leaves);
      const proven = new Set(
        proveKeys(store, root, vector.height, keys, PEDERSEN).map((n) => n.hash),
      );
      expect(pathsTo(vector).filter((hash) => !proven.has(hash))).toEqual([]);
    });
    sharedTest(`${file}: proofs verify against the root`, () => {
      const { store, root } = build(vector.initial_leaves);
      const nodes = proveKeys(store, root, vector.height, keys, PEDERSEN);
      const initial = new Set(vector.initial_leaves);
      const rootHash = BigInt(vector.root_hash);
      expect(keys.map((key) => verifyProof(rootHash, vector.height, PEDERSEN, key, nodes))).toEqual(
        keys.map((key) =>
          initial.has(Number(key))
            ? { kind: "present", value: valueOf(vector, Number(key)) }
            : { kind: "absent" },
        ),
      );
    });
  });
}

/** Hashes of the vector's own nodes on the paths from its root to the modified keys. */
function pathsTo(vector: PatriciaVector): bigint[] {
  const found = new Set<string>();
  for (const index of vector.modified_leaves_indices) {
    let at = vector.root_hash;
    for (let height = vector.height; height > 0;) {
      const fact = vector.facts_storage[at];
      if (fact === undefined) break;
      found.add(at);
      if (fact.length === 2) at = fact[(index >> --height) & 1] ?? "";
      else {
        const [length = 0, path = 0] = fact.slice(0, 2).map(Number);
        height -= length;
        if (((index >> height) & ((1 << length) - 1)) !== path) break;
        at = fact[2] ?? "";
      }
    }
  }
  return [...found].map(BigInt);
}

sharedTest("conformance table counts every tree", () => {
  expectSuite("tries", { compared: files.length });
});

if (!hasFixtures("patricia")) sharedTest("patricia vectors match", () => undefined);
