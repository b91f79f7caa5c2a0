import { invariant } from "#base/errors/index.ts";
import { type Felt, FELT_BYTES, writeFelt } from "#base/primitives/index.ts";
import { bitAt } from "./bits.ts";
import { type BinaryNode, leafNode } from "./node.ts";

/** New value of a leaf; 0 removes the leaf. */
export type LeafUpdate = readonly [key: Felt, value: Felt];

/** Updates of one trie as bytes, ascending by key. */
export class UpdateList {
  /** Keys and values of the updates, 32 bytes each. */
  readonly keys: Uint8Array;
  readonly values: Uint8Array;

  /**
   * @param updates - ascending by key, keys unique and below 2^height
   * @throws {InvariantError} when they are not
   */
  constructor(updates: readonly LeafUpdate[], height: number) {
    this.keys = new Uint8Array(updates.length * FELT_BYTES);
    this.values = new Uint8Array(updates.length * FELT_BYTES);
    const keys = new DataView(this.keys.buffer);
    const values = new DataView(this.values.buffer);
    let previous = -1n;
    let at = 0;
    for (const [key, value] of updates) {
      invariant(key > previous, "trie updates are not sorted by unique key");
      writeFelt(keys, at, key);
      writeFelt(values, at, value);
      previous = key;
      at += FELT_BYTES;
    }
    invariant(previous >> BigInt(height) <= 0n, "a trie key is out of range");
  }

  /** Returns the leaf of an update; `undefined` when the update removes it. */
  leaf(index: number): BinaryNode | undefined {
    const at = index * FELT_BYTES;
    for (let i = at; i < at + FELT_BYTES; i++) {
      if (this.values[i] !== 0) return leafNode(this.keys, at, this.values, at);
    }
    return undefined;
  }

  /** Index of the first update in `[from, to)` whose key has the bit of this weight set. */
  firstInRight(weight: number, from: number, to: number): number {
    let low = from;
    let high = to;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (bitAt(this.keys, middle * FELT_BYTES, weight) === 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
