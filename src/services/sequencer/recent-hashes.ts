import type { Felt } from "#base/primitives/index.ts";
import type { ChainReader } from "#engine/state/index.ts";

/** How many hashes are kept: what a block needs lies 10 blocks back, and 8 wait for the committer. */
export const RECENT_HASHES = 32;

/** Hashes of accepted blocks: the newest, which every block needs, without asking the database. */
export class RecentHashes {
  readonly #chain: Pick<ChainReader, "ancestorHeader">;
  readonly #hashes = new Map<number, Felt>();

  constructor(chain: Pick<ChainReader, "ancestorHeader">) {
    this.#chain = chain;
  }

  /** The next block is accepted. */
  add(blockNumber: number, blockHash: Felt): void {
    this.#hashes.set(blockNumber, blockHash);
    this.#hashes.delete(blockNumber - RECENT_HASHES);
  }

  /** Hash of an accepted block; `undefined` when it is not accepted yet. */
  hashOf(blockNumber: number): Felt | undefined {
    return this.#hashes.get(blockNumber) ?? this.#chain.ancestorHeader(blockNumber)?.hash;
  }
}
