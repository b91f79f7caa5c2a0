import { FELT_BYTES } from "#base/primitives/index.ts";
import { copyFelt } from "./bits.ts";
import type { BinaryNode } from "./node.ts";

/** What a hash takes in memory: itself, the id, the cost. */
const BYTES_PER_HASH = FELT_BYTES + 8 + 1;

/**
 * Hashes of stored nodes by id, in a table of fixed size: a hash takes the place of the one whose id is
 * as many ids lower as the table has places. Ids ascend with blocks, so that those of the newest nodes
 * stay, and those that were read lately.
 */
export class NodeHashes {
  readonly #capacity: number;
  readonly #ids: Float64Array;
  readonly #costs: Uint8Array;
  readonly #hashes: Uint8Array;

  /** @param bytes - what the table may take; 0 keeps nothing */
  constructor(bytes: number) {
    this.#capacity = Math.floor(bytes / BYTES_PER_HASH);
    this.#ids = new Float64Array(this.#capacity);
    this.#costs = new Uint8Array(this.#capacity);
    this.#hashes = new Uint8Array(this.#capacity * FELT_BYTES);
  }

  /** Gives a stored node its hash, when it is here. */
  fill(node: BinaryNode): boolean {
    const place = node.id % this.#capacity;
    if (this.#ids[place] !== node.id) return false;
    // The place may be another node's before this hash is used.
    node.hash = this.#hashes.slice(place * FELT_BYTES, (place + 1) * FELT_BYTES);
    node.hashAt = 0;
    node.cost = this.#costs[place] as number;
    node.rank = 0;
    return true;
  }

  /** Keeps the hash of a stored node. */
  set(id: number, hash: Uint8Array, hashAt: number, cost: number): void {
    if (this.#capacity === 0) return;
    const place = id % this.#capacity;
    this.#ids[place] = id;
    this.#costs[place] = cost;
    copyFelt(this.#hashes, place * FELT_BYTES, hash, hashAt);
  }

  clear(): void {
    this.#ids.fill(0);
  }
}
