import { type Felt, FIELD_PRIME } from "#base/primitives/index.ts";

/** A two-to-one hash. */
export type PairHash = (left: Felt, right: Felt) => Felt;

/**
 * Root of a Patricia-Merkle trie by definition: an empty subtree has hash 0, a leaf its value, a
 * subtree with one empty half is an edge over the other, everything else a binary node. It hashes
 * every node without caching.
 */
export function naiveTrieRoot(
  leaves: ReadonlyMap<bigint, Felt>,
  height: number,
  hash: PairHash,
): Felt {
  const entries = [...leaves].filter(([, value]) => value !== 0n);
  const { length, path, child } = subtree(entries, height, hash);
  return edge(length, path, child, hash);
}

interface Subtree {
  readonly length: number;
  readonly path: bigint;
  readonly child: Felt;
}

function subtree(
  entries: readonly (readonly [bigint, Felt])[],
  height: number,
  hash: PairHash,
): Subtree {
  if (entries.length === 0) return { length: 0, path: 0n, child: 0n };
  if (height === 0) return { length: 0, path: 0n, child: entries[0]?.[1] ?? 0n };
  const bit = 1n << BigInt(height - 1);
  const left = subtree(
    entries.filter(([key]) => (key & bit) === 0n),
    height - 1,
    hash,
  );
  const right = subtree(
    entries.filter(([key]) => (key & bit) !== 0n),
    height - 1,
    hash,
  );
  if (left.child !== 0n && right.child !== 0n) {
    const children = [left, right].map((s) => edge(s.length, s.path, s.child, hash));
    return { length: 0, path: 0n, child: hash(children[0] ?? 0n, children[1] ?? 0n) };
  }
  if (right.child === 0n) return { ...left, length: left.length + 1 };
  return {
    length: right.length + 1,
    path: right.path + (1n << BigInt(right.length)),
    child: right.child,
  };
}

function edge(length: number, path: bigint, child: Felt, hash: PairHash): Felt {
  if (child === 0n || length === 0) return child;
  return (hash(child, path) + BigInt(length)) % FIELD_PRIME;
}
