import {
  type AccountTransaction,
  decodeTransaction,
  type HashedTransaction,
} from "#chain/index.ts";
import type { Mempool, MempoolEntry } from "#mempool/index.ts";
import type { Felt } from "#primitives/index.ts";
import type { ChainReader, StateReader } from "#state/index.ts";
import type { MempoolStore } from "#storage/index.ts";
import { BlockContents } from "../workers/block-contents.ts";
import type { ExecutorToAdmission } from "../workers/protocol.ts";
import { RejectionMemory } from "../workers/rejection-memory.ts";
import { mempoolEntryOf } from "./mempool-entry.ts";

/** What became of a batch; see {@link ExecutorToAdmission}. */
export type Settlement = Extract<ExecutorToAdmission, { kind: "settled" }>;

/** What the service works with. */
export interface MempoolServiceParts {
  readonly pool: Mempool;
  readonly store: Pick<MempoolStore, "loadAll" | "remove">;
  readonly chain: Pick<ChainReader, "locate">;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
}

/**
 * The way of received transactions from the durable store into the mempool, and out of both when
 * their fate is known: what a restart takes back, and what the executor, the committer and the clock
 * say about them.
 */
export class MempoolService {
  readonly #parts: MempoolServiceParts;
  readonly #rejections = new RejectionMemory();
  readonly #contents = new BlockContents();

  constructor(parts: MempoolServiceParts) {
    this.#parts = parts;
  }

  /**
   * Takes back what was received before the last stop and is not in a block.
   *
   * @param state - the state on which execution goes on
   */
  reload(state: StateReader): void {
    const { pool, store, chain } = this.#parts;
    const gone: Felt[] = [];
    const stored = [...store.loadAll()].sort((a, b) => a.receivedAtMs - b.receivedAtMs);
    for (const { hash, receivedAtMs, bytes } of stored) {
      const entry = storedEntry(bytes, receivedAtMs);
      const included = chain.locate(hash) !== undefined;
      const outcome = included ? undefined : pool.add(entry, state.nonceAt(entry.sender));
      if (outcome?.kind !== "added") gone.push(hash);
    }
    if (gone.length > 0) store.remove(gone);
  }

  /** Takes in what the executor says of a batch. */
  settle({ delta, included, rejected, givenBack }: Settlement): void {
    const { pool, store } = this.#parts;
    if (delta !== null) {
      for (const hash of included) {
        pool.settleIncluded(hash);
        this.#contents.add(delta.blockNumber, hash);
      }
    }
    if (rejected.length > 0) {
      for (const { hash, reason } of rejected) {
        pool.settleRejected(hash);
        this.#rejections.remember(hash, reason);
      }
      store.remove(rejected.map(({ hash }) => hash));
    }
    pool.giveBack(givenBack);
  }

  /** A block is durable: the mempool's copies of its transactions can go. */
  accepted(blockNumber: number): void {
    const hashes = this.#contents.takeUpTo(blockNumber);
    if (hashes.length > 0) this.#parts.store.remove(hashes);
  }

  /** Drops what waited too long. @returns whether there was something */
  expire(): boolean {
    const { pool, store, nowMs } = this.#parts;
    const expired = pool.expire(nowMs());
    if (expired.length === 0) return false;
    for (const { hash } of expired) {
      this.#rejections.remember(hash, "the transaction waited longer than mempool_ttl");
    }
    store.remove(expired.map(({ hash }) => hash));
    return true;
  }

  /** Why a transaction that was received is not going to be included; `undefined` when unknown. */
  rejectionOf(hash: Felt): string | undefined {
    return this.#rejections.find(hash);
  }
}

function storedEntry(bytes: Uint8Array, receivedAtMs: number): MempoolEntry {
  const hashed = decodeTransaction(bytes) as HashedTransaction<AccountTransaction>;
  return mempoolEntryOf(hashed, bytes, receivedAtMs);
}
