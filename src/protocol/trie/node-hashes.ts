import { FELT_BYTES } from "#base/primitives/index.ts";
import { copyFelt } from "./bits.ts";
import type { BinaryNode } from "./node.ts";

/** Memory of one entry: the hash, the id, the cost. */
const BYTES_PER_HASH = FELT_BYTES + 8 + 1;

/**
 * Cache of the hashes of stored nodes by id, a fixed-size table indexed by the id modulo its size. Ids ascend
 * with blocks, so the newest and the recently read nodes stay.
 */
export class NodeHashes {
  readonly #capacity: number;
  readonly #ids: Float64Array;
  readonly #costs: Uint8Array;
  readonly #hashes: Uint8Array;

  /** @param bytes - maximum memory of the table; 0 disables the cache */
  constructor(bytes: number) {
    this.#capacity = Math.floor(bytes / BYTES_PER_HASH);
    this.#ids = new Float64Array(this.#capacity);
    this.#costs = new Uint8Array(this.#capacity);
    this.#hashes = new Uint8Array(this.#capacity * FELT_BYTES);
  }

  /** Sets the hash of a stored node if it is cached. @returns whether it was */
  fill(node: BinaryNode): boolean {
    const place = node.id % this.#capacity;
    if (this.#ids[place] !== node.id) return false;
    // Copied, because the entry may be overwritten before this hash is used.
    node.hash = this.#hashes.slice(place * FELT_BYTES, (place + 1) * FELT_BYTES);
    node.hashAt = 0;
    node.cost = this.#costs[place] as number;
    node.rank = 0;
    return true;
  }

  /** Caches the hash of a stored node. */
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
