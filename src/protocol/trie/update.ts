import { invariant } from "#base/errors/index.ts";
import { bytesFromFelt, type Felt, FELT_BYTES, feltFromBytes } from "#base/primitives/index.ts";
import { bitAt, differenceHeight, equalFelts } from "./bits.ts";
import type { TrieHash } from "./hash-function.ts";
import { copyLinkHash, HashRounds } from "./hashing.ts";
import { Bottom, type Link } from "./node.ts";
import { loadChildren, loadRootEdge, openLink } from "./open.ts";
import { encodeChildren, encodeRootLink } from "./row.ts";
import type { AddedNode, TrieNodeSource, TrieRoot } from "./store.ts";
import { type LeafUpdate, UpdateList } from "./update-list.ts";

/** What an update did to one trie. */
export interface UpdatedTrie {
  /** The new root; `null` for a trie without leaves. */
  readonly root: TrieRoot | null;
  /** Rows to insert, children before parents. */
  readonly added: readonly AddedNode[];
  /** Rows that the new trie does not use. */
  readonly removed: readonly number[];
}

/**
 * Applies updates to one trie. See {@link PendingTrie} for many tries at once.
 *
 * @param root - the root to start from; `undefined` for an empty trie
 * @param updates - ascending by key, keys unique and below 2^height
 * @param allocateId - hands out ascending row ids
 * @throws {StorageError} when a row is missing or damaged
 */
export function updateTrie(
  source: TrieNodeSource,
  root: TrieRoot | undefined,
  height: number,
  hash: TrieHash,
  updates: readonly LeafUpdate[],
  allocateId: () => number,
): UpdatedTrie {
  const rounds = new HashRounds(hash);
  const pending = new PendingTrie(source, root, height, updates, rounds);
  rounds.run();
  return pending.finish(allocateId);
}

/**
 * A trie whose new shape is known and whose new hashes wait in {@link HashRounds}: construct one
 * per trie, run the rounds once for all, then finish each.
 */
export class PendingTrie {
  readonly #source: TrieNodeSource;
  readonly #updates: UpdateList;
  /** Keys and values of the updates, 32 bytes each. */
  readonly #keys: Uint8Array;
  readonly #values: Uint8Array;
  readonly #rounds: HashRounds;
  readonly #removed: number[] = [];
  readonly #newNodes: Bottom[] = [];
  readonly #oldRoot: TrieRoot | undefined;
  /** `null` for an empty trie, `undefined` when nothing changed. */
  readonly #newRoot: Link | null | undefined;

  /** Arguments as of {@link updateTrie}; reads rows, hashes nothing. */
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
    const bottom = this.#apply(old, height, 0, updates.length);
    if (bottom === old) return;
    this.#newRoot = bottom === undefined ? null : rounds.link(bottom, height);
    // A root that is an edge has a row of its own; otherwise its node was noted as removed already.
    if (root !== undefined && old?.id !== root.id) this.#removed.push(root.id);
  }

  /** The root's hash; right once the rounds ran. */
  get rootHash(): Felt {
    if (this.#newRoot === undefined) return this.#oldRoot?.hash ?? 0n;
    if (this.#newRoot === null) return 0n;
    const bytes = new Uint8Array(FELT_BYTES);
    copyLinkHash(bytes, 0, this.#newRoot);
    return feltFromBytes(bytes);
  }

  /** Whether the trie is another one than before. */
  get changed(): boolean {
    return this.#newRoot !== undefined;
  }

  /** Numbers and encodes the new rows. The rounds must have run. */
  finish(allocateId: () => number): UpdatedTrie {
    const link = this.#newRoot;
    if (link === undefined) return { root: this.#oldRoot ?? null, added: [], removed: [] };
    const added: AddedNode[] = [];
    for (const node of this.#newNodes) {
      invariant(node.children !== null, "a new trie node has no children");
      node.id = allocateId();
      added.push({ id: node.id, bytes: encodeChildren(node.children) });
    }
    if (link === null) return { root: null, added, removed: this.#removed };
    let id = link.bottom?.id ?? 0;
    if (link.topHeight !== link.height) {
      id = allocateId();
      added.push({ id, bytes: encodeRootLink(link) });
    }
    return { root: { id, hash: this.rootHash }, added, removed: this.#removed };
  }

  #topmost(root: TrieRoot, height: number): Bottom {
    const edge = loadRootEdge(this.#source, root, height);
    if (edge !== null) return openLink(edge, this.#keys, 0, -1);
    return new Bottom(height, this.#keys, 0, bytesFromFelt(root.hash), 0, root.id);
  }

  /**
   * The topmost node after updates `[from, to)`, where `bottom` and all updated keys lie in one
   * subtree of height `top` of which `bottom` is the topmost node so far. The same object means no
   * change.
   */
  #apply(bottom: Bottom | undefined, top: number, from: number, to: number): Bottom | undefined {
    const keys = this.#keys;
    const first = from * FELT_BYTES;
    const last = (to - 1) * FELT_BYTES;
    if (bottom === undefined) {
      if (from + 1 === to) return this.#updates.leaf(from);
      const height = differenceHeight(keys, first, keys, last, top, 0);
      return this.#split(undefined, height, from, to);
    }
    const { key, keyAt, height } = bottom;
    // Keys ascend: when the first and the last one share a prefix, so do all between them.
    const split = Math.max(
      differenceHeight(key, keyAt, keys, first, top, height),
      from + 1 === to ? 0 : differenceHeight(key, keyAt, keys, last, top, height),
    );
    if (split > 0) return this.#split(bottom, split, from, to);
    if (height === 0) {
      if (equalFelts(bottom.hash, bottom.hashAt, this.#values, first)) return bottom;
      return this.#updates.leaf(from);
    }
    return this.#applyBelow(bottom, from, to);
  }

  /** {@link PendingTrie.#apply} where all updated keys lie below the node. */
  #applyBelow(bottom: Bottom, from: number, to: number): Bottom | undefined {
    const { height } = bottom;
    const below = height - 1;
    const key = from * FELT_BYTES;
    const [left, right] = loadChildren(this.#source, bottom.id, height);
    const middle = this.#updates.firstInRight(below, from, to);
    // A side without updates stays a link of the row: it is copied, not opened.
    let newLeft: Bottom | undefined | null = null;
    let newRight: Bottom | undefined | null = null;
    if (from < middle) {
      const child = openLink(left, this.#keys, key, 0);
      newLeft = this.#apply(child, below, from, middle);
      if (newLeft === child) newLeft = null;
    }
    if (middle < to) {
      const child = openLink(right, this.#keys, middle * FELT_BYTES, 1);
      newRight = this.#apply(child, below, middle, to);
      if (newRight === child) newRight = null;
    }
    if (newLeft === null && newRight === null) return bottom;
    this.#removed.push(bottom.id);
    if (newLeft === undefined) return newRight === null ? this.#open(right, key, 1) : newRight;
    if (newRight === undefined) return newLeft === null ? this.#open(left, key, 0) : newLeft;
    const leftLink = newLeft === null ? left : this.#rounds.link(newLeft, below);
    const rightLink = newRight === null ? right : this.#rounds.link(newRight, below);
    return this.#node(height, leftLink, rightLink, bottom);
  }

  #open(link: Link, key: number, side: number): Bottom {
    return openLink(link, this.#keys, key, side);
  }

  /**
   * Updates of which some lie beside `bottom`: goes on below the smallest subtree that holds them
   * all, which has this height.
   */
  #split(bottom: Bottom | undefined, height: number, from: number, to: number): Bottom | undefined {
    const below = height - 1;
    const middle = this.#updates.firstInRight(below, from, to);
    const isLeft = bottom !== undefined && bitAt(bottom.key, bottom.keyAt, below) === 0;
    let left = isLeft ? bottom : undefined;
    let right = isLeft ? undefined : bottom;
    if (from < middle) left = this.#apply(left, below, from, middle);
    if (middle < to) right = this.#apply(right, below, middle, to);
    if (left === undefined) return right;
    if (right === undefined) return left;
    const leftLink = this.#rounds.link(left, below);
    return this.#node(height, leftLink, this.#rounds.link(right, below), left);
  }

  #node(height: number, left: Link, right: Link, keyFrom: Bottom): Bottom {
    const node = this.#rounds.node(height, [left, right], keyFrom);
    this.#newNodes.push(node);
    return node;
  }
}
