import { type Felt, FIELD_PRIME } from "#base/primitives/index.ts";
import type { LeafUpdate, TrieHash } from "#protocol/trie/index.ts";

/** A node of a partially known trie; hashes are computed only for the root. */
export type TrieNode =
  /** Only its hash or value is known; `isBottom` when it cannot be an edge. */
  | { readonly kind: "known"; readonly hash: Felt; readonly isBottom: boolean }
  | { readonly kind: "binary"; readonly left: TrieNode; readonly right: TrieNode }
  | {
      readonly kind: "edge";
      readonly path: bigint;
      readonly length: number;
      /** Never an edge. */
      readonly child: TrieNode;
    };

/** Creates a leaf with a value other than 0. */
export function leafNode(value: Felt): TrieNode {
  return { kind: "known", hash: value, isBottom: true };
}

/** Creates a node with two children. */
export function binaryNode(left: TrieNode, right: TrieNode): TrieNode {
  return { kind: "binary", left, right };
}

/** Creates an edge down to `child`, merged with an edge that begins there. */
export function edgeNode(path: bigint, length: number, child: TrieNode): TrieNode {
  if (child.kind !== "edge") return { kind: "edge", path, length, child };
  return {
    kind: "edge",
    path: (path << BigInt(child.length)) | child.path,
    length: length + child.length,
    child: child.child,
  };
}

/** Index of the first update whose key has this bit set. */
export function firstInRight(updates: readonly LeafUpdate[], weight: number): number {
  let low = 0;
  let high = updates.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const [key] = updates[middle] as LeafUpdate;
    if (((key >> BigInt(weight)) & 1n) === 0n) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Computes the hash of a node; recursion is bounded by the height of the trie. */
export function hashOf(node: TrieNode, hash: TrieHash): Felt {
  switch (node.kind) {
    case "known":
      return node.hash;
    case "binary":
      return hash.pair(hashOf(node.left, hash), hashOf(node.right, hash));
    case "edge":
      return (hash.pair(hashOf(node.child, hash), node.path) + BigInt(node.length)) % FIELD_PRIME;
  }
}
