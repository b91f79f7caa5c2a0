import type { Felt } from "#base/primitives/index.ts";

/** Transactions of blocks that are not accepted yet, by block number. */
export class BlockContents {
  readonly #hashes = new Map<number, Felt[]>();

  add(blockNumber: number, hash: Felt): void {
    const hashes = this.#hashes.get(blockNumber);
    if (hashes === undefined) this.#hashes.set(blockNumber, [hash]);
    else hashes.push(hash);
  }

  /** Removes and returns the transactions of all blocks up to `blockNumber`. */
  takeUpTo(blockNumber: number): Felt[] {
    const taken: Felt[] = [];
    for (const [number, hashes] of this.#hashes) {
      if (number > blockNumber) continue;
      taken.push(...hashes);
      this.#hashes.delete(number);
    }
    return taken;
  }
}
