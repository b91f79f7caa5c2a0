import {
  bytesFromFelt,
  type Felt,
  FELT_BYTES,
  feltFromBytes,
  FIELD_PRIME,
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

/** The hash that a proof node must have; fields must be canonical. */
export function proofNodeHash(node: ProofNode, hash: TrieHash): Felt {
  if (node.kind === "binary") return hash.pair(node.left, node.right);
  return (hash.pair(node.child, node.path) + BigInt(node.length)) % FIELD_PRIME;
}
