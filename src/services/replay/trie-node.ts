import { type Felt, FIELD_PRIME } from "#base/primitives/index.ts";
import type { LeafUpdate, TrieHash } from "#protocol/trie/index.ts";

/** A node of a trie that is known in parts; hashes are made when the root is asked for. */
export type TrieNode =
  /** Only its hash is known, or its value; `isBottom`: it is no edge. */
  | { readonly kind: "known"; readonly hash: Felt; readonly isBottom: boolean }
  | { readonly kind: "binary"; readonly left: TrieNode; readonly right: TrieNode }
  | {
      readonly kind: "edge";
      readonly path: bigint;
      readonly length: number;
      /** No edge. */
      readonly child: TrieNode;
    };

/** A leaf with a value that is not 0. */
export function leafNode(value: Felt): TrieNode {
  return { kind: "known", hash: value, isBottom: true };
}

/** A node with two children. */
export function binaryNode(left: TrieNode, right: TrieNode): TrieNode {
  return { kind: "binary", left, right };
}

/** An edge down to `child`, as one edge with that which may stand there. */
export function edgeNode(path: bigint, length: number, child: TrieNode): TrieNode {
  if (child.kind !== "edge") return { kind: "edge", path, length, child };
  return {
    kind: "edge",
    path: (path << BigInt(child.length)) | child.path,
    length: length + child.length,
    child: child.child,
  };
}

/** Index of the first update whose key has the bit of this weight. */
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

/** The hash of a node, whose depth is that of a trie at most. */
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
