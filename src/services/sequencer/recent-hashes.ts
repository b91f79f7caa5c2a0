import type { Felt } from "#base/primitives/index.ts";
import type { ChainReader } from "#engine/state/index.ts";

/**
 * Number of hashes kept: a block needs the hash 10 blocks back, and up to 8 blocks wait for the committer.
 */
export const RECENT_HASHES = 32;

/** Hashes of the newest accepted blocks, which every block needs; avoids database reads. */
export class RecentHashes {
  readonly #chain: Pick<ChainReader, "ancestorHeader">;
  readonly #hashes = new Map<number, Felt>();

  constructor(chain: Pick<ChainReader, "ancestorHeader">) {
    this.#chain = chain;
  }

  add(blockNumber: number, blockHash: Felt): void {
    this.#hashes.set(blockNumber, blockHash);
    this.#hashes.delete(blockNumber - RECENT_HASHES);
  }

  /** Returns the hash of an accepted block; `undefined` if it is not accepted yet. */
  hashOf(blockNumber: number): Felt | undefined {
    return this.#hashes.get(blockNumber) ?? this.#chain.ancestorHeader(blockNumber)?.hash;
  }
}
