import { type Felt, FIELD_PRIME } from "#base/primitives/index.ts";
import { type ProofNode, proofNodeHash, type TrieHash } from "#protocol/trie/index.ts";

/** Proven value of a key. */
export type ProofResult =
  | { readonly kind: "present"; readonly value: Felt }
  | { readonly kind: "absent" }
  | { readonly kind: "invalid" };

/**
 * Checks a proof for one key against a trusted root hash; nothing else is trusted, including the
 * nodes' `hash`.
 *
 * @param nodes - the proof in any order; additional nodes are ignored
 */
export function verifyProof(
  rootHash: Felt,
  height: number,
  hash: TrieHash,
  key: Felt,
  nodes: readonly ProofNode[],
): ProofResult {
  if (rootHash === 0n) return { kind: "absent" };
  const byHash = new Map(nodes.map((node) => [node.hash, node]));
  let expected = rootHash;
  let left = height;
  while (left > 0) {
    const node = byHash.get(expected);
    if (node === undefined || !isCanonical(node)) return { kind: "invalid" };
    if (proofNodeHash(node, hash) !== expected) return { kind: "invalid" };
    if (node.kind === "binary") {
      left -= 1;
      expected = ((key >> BigInt(left)) & 1n) === 0n ? node.left : node.right;
      continue;
    }
    const { length, path } = node;
    if (length > left || path >> BigInt(length) !== 0n) return { kind: "invalid" };
    left -= length;
    if (((key >> BigInt(left)) & ((1n << BigInt(length)) - 1n)) !== path) return { kind: "absent" };
    expected = node.child;
  }
  return { kind: "present", value: expected };
}

/** Whether a foreign node has felts and a valid length, which hashing does not check. */
function isCanonical(node: ProofNode): boolean {
  if (node.kind === "binary") return isFelt(node.left) && isFelt(node.right);
  const { length, path, child } = node;
  return isFelt(path) && isFelt(child) && Number.isInteger(length) && length >= 1;
}

function isFelt(value: bigint): boolean {
  return value >= 0n && value < FIELD_PRIME;
}
