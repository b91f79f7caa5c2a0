import { invariant } from "#base/errors/index.ts";
import {
  bytesFromFelt,
  type Felt,
  FELT_BYTES,
  feltFromBytes,
  FIELD_PRIME,
} from "#base/primitives/index.ts";
import { bitAt, writeShifted } from "./bits.ts";
import type { TrieHash } from "./hash-function.ts";
import { copyEdgeHash, HashRounds } from "./hashing.ts";
import { BinaryNode, type Edge, type RowEdge } from "./node.ts";
import { edgeMatches, loadEdges, loadRootEdge, openEdge } from "./open.ts";
import { resolveHash } from "./resolve.ts";
import type { TrieNodeSource, TrieRoot } from "./store.ts";

/** Node of a Merkle proof in the terms of `getStorageProof`; `hash` is the node's own. */
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
 * Returns the nodes on the paths from the root to all `keys`, each once, parents before children. The path to
 * a key without leaf ends at the edge that diverges from it, which proves its absence.
 *
 * @param root - root of any block whose rows are still stored; `undefined` for an empty trie
 * @param keys - in any order, below 2^height
 * @throws {StorageError} when a row is missing or damaged
 */
export function proveKeys(
  source: TrieNodeSource,
  root: TrieRoot | undefined,
  height: number,
  keys: readonly Felt[],
  hash: TrieHash,
): ProofNode[] {
  const wanted = keys.map(bytesFromFelt);
  const [first] = wanted;
  if (root === undefined || first === undefined) return [];
  const walk = new ProofWalk(source, hash);
  const edge = loadRootEdge(source, root, height);
  if (edge !== null) walk.edge(edge, openEdge(edge, first, 0, -1), wanted);
  else {
    const node = new BinaryNode(height, first, 0, root.id, 0);
    node.hash = bytesFromFelt(root.hash);
    walk.node(node, wanted);
  }
  return unique(walk.finish());
}

/** Walks down to all wanted keys of 32 bytes each. */
class ProofWalk {
  /** Visited binary nodes and edges; their hashes are known after the rounds ran. */
  readonly #passed: (BinaryNode | Edge)[] = [];
  readonly #source: TrieNodeSource;
  readonly #rounds: HashRounds;

  constructor(source: TrieNodeSource, hash: TrieHash) {
    this.#source = source;
    this.#rounds = new HashRounds(hash, source.hashes);
  }

  /** @returns the edge with its hash scheduled */
  edge(row: RowEdge, child: BinaryNode, wanted: readonly Uint8Array[]): Edge {
    resolveHash(this.#source, child, this.#rounds);
    const edge = this.#rounds.edge(child, row.topHeight);
    if (wanted.length === 0) return edge;
    if (row.topHeight > row.height) this.#passed.push(edge);
    this.node(
      child,
      wanted.filter((key) => edgeMatches(row, key, 0)),
    );
    return edge;
  }

  node(node: BinaryNode, wanted: readonly Uint8Array[]): void {
    if (wanted.length === 0 || node.height === 0) return;
    const rows = loadEdges(this.#source, node.id, node.height);
    const weight = node.height - 1;
    const known = node.children;
    this.#passed.push(node);
    const [left, right] = rows.map((row, side) => {
      // Reuse the children of a node whose hash is being recomputed.
      const child = known?.[side]?.child ?? openEdge(row, node.key, node.keyAt, side);
      return this.edge(
        row,
        child,
        wanted.filter((key) => bitAt(key, 0, weight) === side),
      );
    });
    if (left !== undefined && right !== undefined) node.children = [left, right];
  }

  finish(): ProofNode[] {
    this.#rounds.run();
    return this.#passed.map((passed) =>
      passed instanceof BinaryNode ? binaryOf(passed) : edgeOf(passed),
    );
  }
}

function binaryOf({ hash, hashAt, children }: BinaryNode): ProofNode {
  invariant(children !== null, "a proven trie node has no children");
  const [left, right] = children;
  return { kind: "binary", hash: feltAt(hash, hashAt), left: hashOf(left), right: hashOf(right) };
}

function edgeOf(edge: Edge): ProofNode {
  const { child, topHeight } = edge;
  const path = new Uint8Array(FELT_BYTES);
  writeShifted(path, 0, child.key, child.keyAt, topHeight, child.height);
  return {
    kind: "edge",
    hash: hashOf(edge),
    path: feltFromBytes(path),
    length: topHeight - child.height,
    child: feltAt(child.hash, child.hashAt),
  };
}

function hashOf(edge: Edge): Felt {
  const bytes = new Uint8Array(FELT_BYTES);
  copyEdgeHash(bytes, 0, edge);
  return feltFromBytes(bytes);
}

function feltAt(bytes: Uint8Array, at: number): Felt {
  return feltFromBytes(bytes.subarray(at, at + FELT_BYTES));
}

/** Removes duplicates: equal subtrees have equal nodes. */
function unique(nodes: readonly ProofNode[]): ProofNode[] {
  return [...new Map(nodes.map((node) => [node.hash, node])).values()];
}

/** Computes the hash of a proof node; its fields must be canonical. */
export function proofNodeHash(node: ProofNode, hash: TrieHash): Felt {
  if (node.kind === "binary") return hash.pair(node.left, node.right);
  return (hash.pair(node.child, node.path) + BigInt(node.length)) % FIELD_PRIME;
}
