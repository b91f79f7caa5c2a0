import { compareFelts, type Felt, hexFromFelt } from "#base/primitives/index.ts";
import {
  type LeafUpdate,
  type ProofNode,
  proofNodeHash,
  STATE_TRIE_HEIGHT,
  type TrieHash,
} from "#protocol/trie/index.ts";
import { differ, requireSame } from "./difference.ts";
import {
  binaryNode,
  edgeNode,
  hashOf,
  firstInRight,
  leafNode,
  type TrieNode,
} from "./trie-node.ts";

/** Result of applying updates to a partial trie. */
export type PartialUpdate =
  | { readonly kind: "updated"; readonly rootHash: Felt }
  /** Unproven nodes are needed: those on the paths to these keys. */
  | { readonly kind: "lacking"; readonly keys: readonly Felt[] };

/**
 * A trie of which only the root hash and the paths to some keys are known. A node is accepted only if its
 * hash matches its parent's reference, so that only the root must be trusted.
 */
export class PartialTrie {
  readonly rootHash: Felt;
  readonly #hash: TrieHash;
  readonly #name: string;
  readonly #nodes = new Map<Felt, ProofNode>();

  /** @param name - for messages, for example `contracts trie` */
  constructor(name: string, rootHash: Felt, hash: TrieHash) {
    this.#name = name;
    this.rootHash = rootHash;
    this.#hash = hash;
  }

  /**
   * Adds nodes of a proof in any order.
   *
   * @throws {DifferenceFound} when a node's hash is wrong
   */
  add(nodes: readonly ProofNode[]): void {
    for (const node of nodes) {
      if (this.#nodes.has(node.hash)) continue;
      const name = `hash of a proof node of the ${this.#name}`;
      requireSame(name, proofNodeHash(node, this.#hash), node.hash);
      this.#nodes.set(node.hash, node);
    }
  }

  /**
   * Returns the value of a leaf; 0 when unset.
   *
   * @throws {DifferenceFound} when the proof does not cover it
   */
  get(key: Felt): Felt {
    let expected = this.rootHash;
    let height = STATE_TRIE_HEIGHT;
    if (expected === 0n) return 0n;
    while (height > 0) {
      const node = this.#nodes.get(expected) ?? this.#unproven(key);
      if (node.kind === "binary") {
        height--;
        expected = ((key >> BigInt(height)) & 1n) === 0n ? node.left : node.right;
        continue;
      }
      if (node.length > height) return this.#unproven(key);
      height -= node.length;
      const part = (key >> BigInt(height)) & ((1n << BigInt(node.length)) - 1n);
      if (part !== node.path) return 0n;
      expected = node.child;
    }
    return expected;
  }

  /**
   * Computes the root after updates; the trie itself is unchanged.
   *
   * @param updates - each key at most once; the paths to all of them must have been proven
   * @throws {DifferenceFound} when a path is unproven
   */
  update(updates: Iterable<LeafUpdate>): PartialUpdate {
    const sorted = [...updates].sort(([a], [b]) => compareFelts(a, b));
    if (sorted.length === 0) return { kind: "updated", rootHash: this.rootHash };
    const lacking: Felt[] = [];
    const root: TrieNode | null =
      this.rootHash === 0n ? null : { kind: "known", hash: this.rootHash, isBottom: false };
    const updated = this.#apply(root, STATE_TRIE_HEIGHT, 0n, sorted, lacking);
    if (lacking.length > 0) return { kind: "lacking", keys: lacking };
    const rootHash = updated === null ? 0n : hashOf(updated, this.#hash);
    return { kind: "updated", rootHash };
  }

  /**
   * Applies updates to a subtree.
   *
   * @param prefix - the bits above the subtree, shifted down
   * @param updates - ascending, all in the subtree, at least one
   */
  #apply(
    node: TrieNode | null,
    height: number,
    prefix: bigint,
    updates: readonly LeafUpdate[],
    lacking: Felt[],
  ): TrieNode | null {
    const [first] = updates;
    if (first === undefined) return node;
    if (height === 0) return first[1] === 0n ? null : leafNode(first[1]);
    const opened = node === null ? null : this.#open(node, height, first[0]);
    if (opened?.kind === "edge") {
      const below = height - opened.length;
      const way = (prefix << BigInt(opened.length)) | opened.path;
      if (updates.every(([key]) => key >> BigInt(below) === way)) {
        const child = this.#apply(opened.child, below, way, updates, lacking);
        return child === null ? null : edgeNode(opened.path, opened.length, child);
      }
    }
    const half = height - 1;
    const middle = firstInRight(updates, half);
    const [oldLeft, oldRight] = halvesOf(opened);
    const left = this.#apply(oldLeft, half, prefix << 1n, updates.slice(0, middle), lacking);
    const rightPrefix = (prefix << 1n) | 1n;
    const right = this.#apply(oldRight, half, rightPrefix, updates.slice(middle), lacking);
    if (left !== null && right !== null) return binaryNode(left, right);
    if (left !== null) return this.#lengthened(0n, left, half, prefix << 1n, lacking);
    if (right !== null) return this.#lengthened(1n, right, half, rightPrefix, lacking);
    return null;
  }

  /** Handles an only child. If an edge begins there, the two edges merge, so its node must be known. */
  #lengthened(
    path: bigint,
    child: TrieNode,
    height: number,
    prefix: bigint,
    lacking: Felt[],
  ): TrieNode {
    if (child.kind !== "known" || child.isBottom || height === 0) return edgeNode(path, 1, child);
    const node = this.#nodes.get(child.hash);
    if (node === undefined) {
      lacking.push(prefix << BigInt(height));
      return edgeNode(path, 1, child);
    }
    return edgeNode(path, 1, fromProof(node));
  }

  #open(node: TrieNode, height: number, key: Felt): TrieNode {
    if (node.kind !== "known") return node;
    const known = this.#nodes.get(node.hash);
    const isTooLong = known?.kind === "edge" && known.length > height;
    return fromProof(known === undefined || isTooLong ? this.#unproven(key) : known);
  }

  #unproven(key: Felt): never {
    return differ(
      `proof of ${hexFromFelt(key)} in the ${this.#name}`,
      `a path from the root ${hexFromFelt(this.rootHash)} to the key`,
      "nodes that do not form it",
    );
  }
}

function fromProof(node: ProofNode): TrieNode {
  if (node.kind === "edge") {
    const child: TrieNode = { kind: "known", hash: node.child, isBottom: true };
    return { kind: "edge", path: node.path, length: node.length, child };
  }
  const known = (hash: Felt): TrieNode => ({ kind: "known", hash, isBottom: false });
  return { kind: "binary", left: known(node.left), right: known(node.right) };
}

function halvesOf(node: TrieNode | null): readonly [TrieNode | null, TrieNode | null] {
  if (node?.kind === "binary") return [node.left, node.right];
  if (node?.kind !== "edge") return [null, null];
  const below = node.length - 1;
  const isRight = node.path >> BigInt(below) === 1n;
  const rest = node.path & ((1n << BigInt(below)) - 1n);
  const child = below === 0 ? node.child : edgeNode(rest, below, node.child);
  return isRight ? [null, child] : [child, null];
}
