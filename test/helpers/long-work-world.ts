import { expect } from "bun:test";
import { encodedTransaction, type InvokeV3 } from "#protocol/chain/index.ts";
import { type Candidate, gasLimitOf, MAX_SMALL_GAS } from "#services/admission/index.ts";
import { ranking } from "#services/admission/precedence.ts";
import { Mempool } from "#services/admission/mempool/index.ts";
import { LongWork } from "#services/sequencer/long-work.ts";
import { MEMPOOL_LIMITS, mempoolEntry } from "./mempool-entry.ts";
import { emptyInvoke } from "./mempool-world.ts";

/** Default block time of a world. */
export const BLOCK_TIME_MS = 4_000;
const BATCH_SIZE = 64;
/** Highest L2 gas bound of a small transaction. */
export const SMALL = MAX_SMALL_GAS;
/** L2 gas bound of a transaction that may take seconds. */
export const LARGE = 1_000_000_000n;

/**
 * Transaction of a {@link LongWorkWorld}: sender, gas bound, and the processor time that it takes.
 */
export interface Work {
  readonly sender: bigint;
  readonly gas: bigint;
  /** Duration of its execution. */
  readonly ms: number;
}

interface Done extends Work {
  readonly nonce: bigint;
  readonly endMs: number;
}

/** A transaction in the form that the executor gets. */
export function candidateOf({ sender, gas }: Work, nonce: bigint): Candidate {
  const bound = { maxAmount: gas, maxPricePerUnit: 1n };
  const none = { maxAmount: 0n, maxPricePerUnit: 0n };
  const resourceBounds = { l1Gas: none, l1DataGas: none, l2Gas: bound };
  const transaction: InvokeV3 = { ...emptyInvoke(sender, nonce), resourceBounds };
  const hash = (sender << 32n) | nonce;
  return { transaction: encodedTransaction({ hash, transaction }), prevalidated: undefined };
}

/** A mempool and an executor whose clock advances with the executed work. */
export class LongWorkWorld {
  readonly work: LongWork;
  readonly done: Done[] = [];
  readonly #waiting = new Map<bigint, { readonly candidate: Candidate; readonly work: Work }>();
  readonly #nonces = new Map<bigint, bigint>();
  readonly #pool = new Mempool({
    ...MEMPOOL_LIMITS,
    maxTransactions: 10_000,
    maxTransactionsPerAccount: 10_000,
    maxBytes: 1e9,
    maxBytesPerAccount: 1e9,
    ttlMs: null,
  });
  nowMs = 1_000_000;

  constructor(blockTimeMs = BLOCK_TIME_MS) {
    this.work = new LongWork(blockTimeMs);
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  send(work: Work, count = 1): void {
    for (let i = 0; i < count; i++) {
      const nonce = this.#nonces.get(work.sender) ?? 0n;
      this.#nonces.set(work.sender, nonce + 1n);
      const candidate = candidateOf(work, nonce);
      const { hash, transaction } = candidate.transaction;
      const entry = mempoolEntry({
        hash,
        sender: work.sender,
        nonce,
        gasLimit: gasLimitOf(transaction),
        receivedAtMs: this.nowMs,
      });
      expect(this.#pool.add(entry, this.#accountNonceOf(work.sender)).kind).toBe("added");
      this.#waiting.set(hash, { candidate, work });
    }
  }

  /** Takes and executes one batch. @returns the number of executed transactions */
  batch(): number {
    const precedence = this.work.ask(this.nowMs);
    const taken = this.#pool.take(BATCH_SIZE, ranking(precedence));
    if (taken.length === 0) return 0;
    this.work.received();
    return this.#execute(taken.map(({ hash }) => hash));
  }

  #accountNonceOf(sender: bigint): bigint {
    return BigInt(this.done.filter((one) => one.sender === sender).length);
  }

  #execute(hashes: readonly bigint[]): number {
    const requeued: bigint[] = [];
    let executed = 0;
    let isRunning = true;
    const stopped = new Set<bigint>();
    for (const hash of hashes) {
      const { candidate, work } = this.#waiting.get(hash) ?? { candidate: undefined };
      if (candidate === undefined || work === undefined) throw new RangeError("unknown");
      if (!isRunning || stopped.has(work.sender) || !this.work.mayExecute(candidate, this.nowMs)) {
        stopped.add(work.sender);
        requeued.push(hash);
        continue;
      }
      this.nowMs += work.ms;
      isRunning = this.work.executed(candidate, work.ms, this.nowMs);
      this.#waiting.delete(hash);
      this.#pool.settleIncluded(hash);
      this.done.push({ ...work, nonce: hash & 0xffffffffn, endMs: this.nowMs });
      executed++;
    }
    this.#pool.requeue(requeued);
    return executed;
  }
}

/** Creates the {@link Work} of a transfer by a sender. */
export const transfer = (sender: bigint): Work => ({ sender, gas: SMALL, ms: 1 });
