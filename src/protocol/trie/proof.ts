import {
  bytesFromFelt,
  type Felt,
  FELT_BYTES,
  feltFromBytes,
  FIELD_PRIME,
  isFelt,
} from "#base/primitives/index.ts";
import { bitAt, writeShifted } from "./bits.ts";
import type { TrieHash } from "./hash-function.ts";
import { BinaryNode, type Edge } from "./node.ts";
import { edgeMatches, loadChildren, loadRootEdge, openEdge } from "./open.ts";
import type { TrieNodeSource, TrieRoot } from "./store.ts";

/** A node of a Merkle proof in the terms of `getStorageProof`; `hash` is the node's own. */
export type ProofNode =
  | { readonly kind: "binary"; readonly hash: Felt; readonly left: Felt; readonly right: Felt }
  | {
      readonly kind: "edge";
      readonly hash: Felt;
      readonly path: bigint;
      readonly length: number;
      readonly child: Felt;
    };

/** What a proof shows of a key. */
export type ProofResult =
  | { readonly kind: "present"; readonly value: Felt }
  | { readonly kind: "absent" }
  | { readonly kind: "invalid" };

/**
 * Nodes on the ways from the root to all `keys`, each once, parents before children. The way to a
 * key without leaf ends at the edge that leads past it, which proves its absence.
 *
 * @param root - the root of any block whose rows are still there; `undefined` for an empty trie
 * @param keys - in any order, below 2^height
 * @throws {StorageError} when a row is missing or damaged
 */
export function proveKeys(
  source: TrieNodeSource,
  root: TrieRoot | undefined,
  height: number,
  keys: readonly Felt[],
): ProofNode[] {
  const wanted = keys.map(bytesFromFelt);
  const [first] = wanted;
  if (root === undefined || first === undefined) return [];
  const walk = new ProofWalk(source);
  const edge = loadRootEdge(source, root, height);
  if (edge !== null) walk.edge(edge, -1, wanted);
  else walk.node(new BinaryNode(height, first, 0, bytesFromFelt(root.hash), 0, root.id), wanted);
  return unique(walk.nodes);
}

/** Walks down to all wanted keys, given as 32 bytes each. */
class ProofWalk {
  readonly nodes: ProofNode[] = [];
  readonly #source: TrieNodeSource;

  constructor(source: TrieNodeSource) {
    this.#source = source;
  }

  edge(edge: Edge, side: number, wanted: readonly Uint8Array[]): void {
    const [first] = wanted;
    if (first === undefined) return;
    const child = openEdge(edge, first, 0, side);
    const { topHeight, height } = edge;
    if (topHeight > height) {
      const path = new Uint8Array(FELT_BYTES);
      writeShifted(path, 0, child.key, child.keyAt, topHeight, height);
      this.nodes.push({
        kind: "edge",
        hash: feltAt(edge.hash, edge.hashAt),
        path: feltFromBytes(path),
        length: topHeight - height,
        child: feltAt(child.hash, child.hashAt),
      });
    }
    this.node(
      child,
      wanted.filter((key) => edgeMatches(edge, key, 0)),
    );
  }

  node(node: BinaryNode, wanted: readonly Uint8Array[]): void {
    if (wanted.length === 0 || node.height === 0) return;
    const [left, right] = loadChildren(this.#source, node.id, node.height);
    this.nodes.push({
      kind: "binary",
      hash: feltAt(node.hash, node.hashAt),
      left: feltAt(left.hash, left.hashAt),
      right: feltAt(right.hash, right.hashAt),
    });
    const weight = node.height - 1;
    for (const [side, edge] of [left, right].entries()) {
      this.edge(
        edge,
        side,
        wanted.filter((key) => bitAt(key, 0, weight) === side),
      );
    }
  }
}

function feltAt(bytes: Uint8Array, at: number): Felt {
  return feltFromBytes(bytes.subarray(at, at + FELT_BYTES));
}

/** Equal subtrees have equal nodes: the proof holds them once. */
function unique(nodes: readonly ProofNode[]): ProofNode[] {
  return [...new Map(nodes.map((node) => [node.hash, node])).values()];
}

/**
 * Checks a proof for one key against a trusted root hash; trusts nothing else, not even that a
 * node's `hash` is right.
 *
 * @param nodes - the proof in any order, further nodes do not matter
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

/** Whether a foreign node holds felts and a possible length: hashing knows nothing else. */
function isCanonical(node: ProofNode): boolean {
  if (node.kind === "binary") return isFelt(node.left) && isFelt(node.right);
  const { length, path, child } = node;
  return isFelt(path) && isFelt(child) && Number.isInteger(length) && length >= 1;
}

/** The hash that a proof node must have; fields must be canonical. */
export function proofNodeHash(node: ProofNode, hash: TrieHash): Felt {
  if (node.kind === "binary") return hash.pair(node.left, node.right);
  return (hash.pair(node.child, node.path) + BigInt(node.length)) % FIELD_PRIME;
}
