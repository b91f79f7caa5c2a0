import { bytesFromFelt, type Felt, FELT_BYTES, feltFromBytes } from "#base/primitives/index.ts";
import { bitAt, differenceHeight, equalFelts } from "./bits.ts";
import { copyEdgeHash, HashRounds } from "./hashing.ts";
import { BinaryNode, type Edge } from "./node.ts";
import { loadEdges, loadRootEdge, openEdge } from "./open.ts";
import { resolveHash } from "./resolve.ts";
import { encodeNode, encodeRootEdge } from "./row.ts";
import type { AddedNode, TrieNodeSource, TrieRoot } from "./store.ts";
import { type LeafUpdate, UpdateList } from "./update-list.ts";

/** Result of an update of one trie. */
export interface UpdatedTrie {
  /** New root; `null` for a trie without leaves. */
  readonly root: TrieRoot | null;
  /** Rows to insert, children before parents. */
  readonly added: readonly AddedNode[];
  readonly removed: readonly number[];
}

/**
 * Trie whose new shape is known and whose new hashes are scheduled in {@link HashRounds}: construct one per
 * trie, run the rounds once for all, then finish each.
 */
export class PendingTrie {
  readonly #source: TrieNodeSource;
  readonly #updates: UpdateList;
  /** Keys and values of the updates, 32 bytes each. */
  readonly #keys: Uint8Array;
  readonly #values: Uint8Array;
  readonly #rounds: HashRounds;
  readonly #removed: number[] = [];
  readonly #newNodes: BinaryNode[] = [];
  readonly #oldRoot: TrieRoot | undefined;
  /** `null` for an empty trie, `undefined` when nothing changed. */
  readonly #newRoot: Edge | null | undefined;

  /**
   * Reads rows; does not hash.
   *
   * @param root - root before the update; `undefined` for an empty trie
   * @param updates - ascending by key, keys unique and below 2^height
   * @throws {StorageError} when a row is missing or damaged
   */
  constructor(
    source: TrieNodeSource,
    root: TrieRoot | undefined,
    height: number,
    updates: readonly LeafUpdate[],
    rounds: HashRounds,
  ) {
    this.#source = source;
    this.#rounds = rounds;
    this.#oldRoot = root;
    this.#updates = new UpdateList(updates, height);
    this.#keys = this.#updates.keys;
    this.#values = this.#updates.values;
    if (updates.length === 0) return;
    const old = root === undefined ? undefined : this.#topmost(root, height);
    const node = this.#apply(old, height, 0, updates.length);
    if (node === old) return;
    this.#newRoot = node === undefined ? null : this.#edge(node, height);
    // A root that is an edge has a separate row; otherwise its node is already in the list.
    if (root !== undefined && old?.id !== root.id) this.#removed.push(root.id);
  }

  /** Hash of the root; valid after the rounds ran. */
  get rootHash(): Felt {
    if (this.#newRoot === undefined) return this.#oldRoot?.hash ?? 0n;
    if (this.#newRoot === null) return 0n;
    const bytes = new Uint8Array(FELT_BYTES);
    copyEdgeHash(bytes, 0, this.#newRoot);
    return feltFromBytes(bytes);
  }

  get changed(): boolean {
    return this.#newRoot !== undefined;
  }

  /** Assigns ids to the new rows and encodes them. The rounds must have run. */
  finish(allocateId: () => number): UpdatedTrie {
    const edge = this.#newRoot;
    if (edge === undefined) return { root: this.#oldRoot ?? null, added: [], removed: [] };
    const added: AddedNode[] = [];
    for (const node of this.#newNodes) {
      node.id = allocateId();
      const hash = { bytes: node.hash, at: node.hashAt, cost: node.cost };
      added.push({ id: node.id, bytes: encodeNode(node), hash });
    }
    if (edge === null) return { root: null, added, removed: this.#removed };
    let { id } = edge.child;
    if (edge.topHeight !== edge.child.height) {
      id = allocateId();
      added.push({ id, bytes: encodeRootEdge(edge, id), hash: null });
    }
    return { root: { id, hash: this.rootHash }, added, removed: this.#removed };
  }

  #topmost(root: TrieRoot, height: number): BinaryNode {
    const edge = loadRootEdge(this.#source, root, height);
    if (edge !== null) return openEdge(edge, this.#keys, 0, -1);
    const node = new BinaryNode(height, this.#keys, 0, root.id, 0);
    node.hash = bytesFromFelt(root.hash);
    return node;
  }

  /**
   * Returns the topmost node after updates `[from, to)`. `node` and all updated keys share one subtree of
   * height `top`, of which `node` is the topmost node so far. Returns the same object if nothing changed.
   */
  #apply(
    node: BinaryNode | undefined,
    top: number,
    from: number,
    to: number,
  ): BinaryNode | undefined {
    const keys = this.#keys;
    const first = from * FELT_BYTES;
    const last = (to - 1) * FELT_BYTES;
    if (node === undefined) {
      if (from + 1 === to) return this.#updates.leaf(from);
      const height = differenceHeight(keys, first, keys, last, top, 0);
      return this.#split(undefined, height, from, to);
    }
    const { key, keyAt, height } = node;
    // Keys ascend: a prefix shared by the first and the last one is shared by all between them.
    const split = Math.max(
      differenceHeight(key, keyAt, keys, first, top, height),
      from + 1 === to ? 0 : differenceHeight(key, keyAt, keys, last, top, height),
    );
    if (split > 0) return this.#split(node, split, from, to);
    if (height === 0) {
      if (equalFelts(node.hash, node.hashAt, this.#values, first)) return node;
      return this.#updates.leaf(from);
    }
    return this.#applyBelow(node, from, to);
  }

  /** {@link PendingTrie.#apply} where all updated keys are below the node. */
  #applyBelow(node: BinaryNode, from: number, to: number): BinaryNode | undefined {
    const { height } = node;
    const below = height - 1;
    const key = from * FELT_BYTES;
    const [left, right] = loadEdges(this.#source, node.id, height);
    const middle = this.#updates.firstInRight(below, from, to);
    const oldLeft = openEdge(left, this.#keys, key, 0);
    const oldRight = openEdge(right, this.#keys, key, 1);
    let newLeft: BinaryNode | undefined = oldLeft;
    let newRight: BinaryNode | undefined = oldRight;
    if (from < middle) newLeft = this.#apply(oldLeft, below, from, middle);
    if (middle < to) newRight = this.#apply(oldRight, below, middle, to);
    if (newLeft === oldLeft && newRight === oldRight) return node;
    this.#removed.push(node.id);
    if (newLeft === undefined) return newRight;
    if (newRight === undefined) return newLeft;
    return this.#node(height, newLeft, newRight);
  }

  /**
   * Applies updates of which some are outside the subtree of `node`: splits at the smallest subtree that
   * holds them all, whose height is `height`.
   */
  #split(
    node: BinaryNode | undefined,
    height: number,
    from: number,
    to: number,
  ): BinaryNode | undefined {
    const below = height - 1;
    const middle = this.#updates.firstInRight(below, from, to);
    const isLeft = node !== undefined && bitAt(node.key, node.keyAt, below) === 0;
    let left = isLeft ? node : undefined;
    let right = isLeft ? undefined : node;
    if (from < middle) left = this.#apply(left, below, from, middle);
    if (middle < to) right = this.#apply(right, below, middle, to);
    if (left === undefined) return right;
    if (right === undefined) return left;
    return this.#node(height, left, right);
  }

  #node(height: number, left: BinaryNode, right: BinaryNode): BinaryNode {
    const below = height - 1;
    const children = [this.#edge(left, below), this.#edge(right, below)] as const;
    const node = this.#rounds.node(height, children, left);
    this.#newNodes.push(node);
    return node;
  }

  #edge(child: BinaryNode, topHeight: number): Edge {
    resolveHash(this.#source, child, this.#rounds);
    return this.#rounds.edge(child, topHeight);
  }
}
