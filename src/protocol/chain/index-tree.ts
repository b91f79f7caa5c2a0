import { pedersenBatch, poseidonBatch } from "#protocol/crypto/index.ts";
import { type Felt, FIELD_PRIME } from "#base/primitives/index.ts";

/** Hash function of a block's commitments: Poseidon from protocol 0.13.2 on. */
export type CommitmentHash = "pedersen" | "poseidon";

/** Height of the tries that commit to the ordered parts of a block. */
const HEIGHT = 64;

/**
 * Root of the Patricia trie of height 64 that holds `leaves` under the keys 0, 1, 2, …; 0 without
 * leaves. Zero leaves are not supported: leaf hashes are never 0.
 *
 * Keys are dense, so only the last node of a level can lack a sibling; it is then the start of an
 * edge that goes left. Costs one hash per leaf and two more per level.
 */
export function indexTreeRoot(leaves: readonly Felt[], hash: CommitmentHash = "poseidon"): Felt {
  if (leaves.length === 0) return 0n;
  let level = leaves;
  // Length of the edge above the last node of the level.
  let lastEdge = 0;
  let height = 0;
  for (; level.length > 1; height++) {
    const pairs = level.slice(0, level.length & ~1);
    const odd = level.length % 2 === 1;
    const last = pairs.length - 1;
    if (!odd && lastEdge > 0) pairs[last] = edgeHash(pairs[last] ?? 0n, lastEdge, hash);
    const next = hashPairs(pairs, hash);
    if (odd) next.push(level[level.length - 1] ?? 0n);
    lastEdge = odd ? lastEdge + 1 : 0;
    level = next;
  }
  const root = level[0] ?? 0n;
  const length = lastEdge + HEIGHT - height;
  return length === 0 ? root : edgeHash(root, length, hash);
}

/** Hash of an edge of `length` left steps down to `bottom`. */
function edgeHash(bottom: Felt, length: number, hash: CommitmentHash): Felt {
  const [top = 0n] = hashPairs([bottom, 0n], hash);
  return (top + BigInt(length)) % FIELD_PRIME;
}

function hashPairs(pairs: readonly Felt[], hash: CommitmentHash): Felt[] {
  return hash === "pedersen" ? pedersenBatch(pairs) : poseidonBatch(pairs);
}
