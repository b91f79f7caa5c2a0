import { pedersen, poseidonHash } from "@scure/starknet";

/** Wire format of members of NODE_HASH_TO_NODE_MAPPING. */
export interface WireNode {
  readonly node_hash: string;
  readonly node: WireBinary | WireEdge;
}

/** BINARY_NODE. */
export interface WireBinary {
  readonly left: string;
  readonly right: string;
}

/** EDGE_NODE. */
export interface WireEdge {
  readonly path: string;
  readonly length: number;
  readonly child: string;
}

/** A hash of two field elements. */
export type PairHash = (left: bigint, right: bigint) => bigint;

/** Height of all tries of the state. */
export const TRIE_HEIGHT = 251;

const FIELD_PRIME = 2n ** 251n + 17n * 2n ** 192n + 1n;

/** Pedersen hash of @scure/starknet, memoized because it is slow. */
export const pedersenOf: PairHash = remembered((left, right) => BigInt(pedersen(left, right)));

/** Poseidon hash of two felts, of @scure/starknet. */
export const poseidonOf: PairHash = remembered((left, right) => poseidonHash(left, right));

function remembered(hash: PairHash): PairHash {
  const known = new Map<string, bigint>();
  return (left, right) => {
    const name = `${left} ${right}`;
    const value = known.get(name) ?? hash(left, right);
    known.set(name, value);
    return value;
  };
}

/** Proven leaf of a key, 0 if there is no leaf; or why the proof is invalid. */
export type ProvenLeaf =
  | { readonly kind: "leaf"; readonly value: bigint; readonly visited: readonly string[] }
  | { readonly kind: "broken"; readonly reason: string };

/**
 * Follows a proof from a trusted root down to a key, hashing every node on the way. Written only
 * from the documentation of the tries.
 *
 * Source: Starknet documentation, "State structure", Merkle-Patricia trie.
 *
 * @param nodes - in any order
 * @param height - of the trie
 */
export function proveLeaf(
  nodes: readonly WireNode[],
  root: bigint,
  key: bigint,
  hash: PairHash,
  height = TRIE_HEIGHT,
): ProvenLeaf {
  const broken = (reason: string): ProvenLeaf => ({ kind: "broken", reason });
  const visited: string[] = [];
  const absent: ProvenLeaf = { kind: "leaf", value: 0n, visited };
  const byHash = new Map(nodes.map((entry) => [BigInt(entry.node_hash), entry]));
  const bits = key.toString(2).padStart(height, "0");
  if (bits.length > height) return broken(`key ${key} is not in a trie of height ${height}`);
  if (root === 0n) return absent;
  let expected = root;
  let depth = 0;
  while (depth < height) {
    const entry = byHash.get(expected);
    if (entry === undefined) return broken(`no node 0x${expected.toString(16)} at depth ${depth}`);
    visited.push(entry.node_hash);
    const { node } = entry;
    if ("left" in node) {
      const [left, right] = [BigInt(node.left), BigInt(node.right)];
      if (hash(left, right) !== expected) return broken(`wrong hash ${entry.node_hash}`);
      expected = bits[depth] === "0" ? left : right;
      depth += 1;
      continue;
    }
    const { length } = node;
    const path = BigInt(node.path);
    if (length < 1 || depth + length > height || path >= 2n ** BigInt(length)) {
      return broken(`wrong edge ${entry.node_hash}`);
    }
    const child = BigInt(node.child);
    if ((hash(child, path) + BigInt(length)) % FIELD_PRIME !== expected) {
      return broken(`wrong hash ${entry.node_hash}`);
    }
    if (bits.slice(depth, depth + length) !== path.toString(2).padStart(length, "0")) return absent;
    expected = child;
    depth += length;
  }
  return { kind: "leaf", value: expected, visited };
}
