import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { FIELD_PRIME } from "#base/primitives/index.ts";
import { MemoryTrieStore } from "#test/helpers/memory-trie-store.ts";
import { type LeafUpdate, POSEIDON, type ProofNode, proveKeys } from "#protocol/trie/index.ts";
import { assertProperty } from "#test/helpers/property.ts";
import { updateTrie } from "#test/helpers/update-trie.ts";
import { verifyProof } from "#test/helpers/verify-proof.ts";

const HEIGHT = 251;

/** Keys that share prefixes and suffixes of many lengths. */
const key = fc
  .tuple(fc.bigInt({ min: 0n, max: 15n }), fc.integer({ min: 0, max: HEIGHT - 4 }))
  .map(([bits, shift]) => bits << BigInt(shift));

function build(keys: Iterable<bigint>) {
  const store = new MemoryTrieStore();
  const unique = [...new Set(keys)].sort((a, b) => (a < b ? -1 : 1));
  const updates = unique.map((k, i): LeafUpdate => [k, BigInt(i) + 1n]);
  let id = 0;
  const { root, added } = updateTrie(store, undefined, HEIGHT, POSEIDON, updates, () => ++id);
  store.insert(added);
  return { store, root: root ?? undefined, values: new Map(updates) };
}

const verify = (rootHash: bigint, k: bigint, nodes: readonly ProofNode[]) =>
  verifyProof(rootHash, HEIGHT, POSEIDON, k, nodes);

describe("proveKeys and verifyProof", () => {
  test("one proof shows for every key whether it is present", () => {
    assertProperty(
      fc.property(
        fc.array(key, { maxLength: 12 }),
        fc.array(key, { maxLength: 6 }),
        (has, asks) => {
          const { store, root, values } = build(has);
          const keys = [...asks, ...has.slice(0, 3)];
          const nodes = proveKeys(store, root, HEIGHT, keys, POSEIDON);
          for (const k of keys) {
            const value = values.get(k);
            expect(verify(root?.hash ?? 0n, k, nodes)).toEqual(
              value === undefined ? { kind: "absent" } : { kind: "present", value },
            );
          }
        },
      ),
    );
  });

  test("every node is needed by some key and occurs once", () => {
    const has = [1n, 2n, 3n, 1n << 200n, 1n << 250n];
    const { store, root } = build(has);
    const nodes = proveKeys(store, root, HEIGHT, has, POSEIDON);
    expect(new Set(nodes.map((node) => node.hash)).size).toBe(nodes.length);
    for (const node of nodes) {
      const rest = nodes.filter((other) => other !== node);
      expect(has.map((k) => verify(root?.hash ?? 0n, k, rest).kind)).toContain("invalid");
    }
  });

  test("parents precede children", () => {
    const { store, root } = build([1n, 2n, 1n << 250n]);
    expect(proveKeys(store, root, HEIGHT, [1n], POSEIDON)[0]?.hash).toBe(root?.hash ?? 0n);
  });

  test("an empty trie has an empty proof", () => {
    expect(proveKeys(new MemoryTrieStore(), undefined, HEIGHT, [1n], POSEIDON)).toEqual([]);
    expect(verify(0n, 1n, [])).toEqual({ kind: "absent" });
  });

  const { store, root } = build([1n, 6n, 1n << 250n]);
  const rootHash = root?.hash ?? 0n;
  const honest = proveKeys(store, root, HEIGHT, [6n], POSEIDON);

  const forgeries: Readonly<Record<string, (node: ProofNode) => ProofNode>> = {
    "a wrong child": (node) =>
      node.kind === "edge"
        ? { ...node, child: node.child + 1n }
        : { ...node, left: node.left + 1n },
    "a wrong path": (node) => (node.kind === "edge" ? { ...node, path: node.path ^ 1n } : node),
    "an edge longer than the trie": (node) =>
      node.kind === "edge" ? { ...node, length: 252 } : node,
    "an edge without length": (node) => (node.kind === "edge" ? { ...node, length: 0 } : node),
    "a value above the prime": (node) =>
      node.kind === "edge" ? { ...node, child: node.child + FIELD_PRIME } : node,
    "a negative path": (node) => (node.kind === "edge" ? { ...node, path: -1n } : node),
  };
  for (const [name, forge] of Object.entries(forgeries)) {
    test(`${name} makes a proof invalid`, () => {
      expect(verify(rootHash, 6n, honest.map(forge))).toEqual({ kind: "invalid" });
    });
  }

  test("another root makes a proof invalid", () => {
    expect(verify(rootHash + 1n, 6n, honest)).toEqual({ kind: "invalid" });
  });
});
