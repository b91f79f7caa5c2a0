import {
  type Candidate,
  gasLimitOf,
  MAX_SMALL_GAS,
  type Precedence,
  type RankedTransaction,
} from "#services/admission/index.ts";
import { senderAddressOf } from "#protocol/chain/index.ts";
import { SenderTimes } from "./sender-times.ts";

/** Processor time from which on a transaction is a long one; milliseconds. */
export const LONG_MS = 250;

/**
 * Processor time that a transaction may take and not count: what a transfer takes, also while code is compiled
 * or memory is collected; milliseconds.
 */
export const COSTLY_MS = 4;

/** Processor time beyond that which a sender may take before others go first; milliseconds. */
export const FREE_MS = 50;

/** Processor time after which a batch ends and gives back what is left; milliseconds. */
export const BATCH_MS = 500;

/** Longest time for which small transactions of senders with level 0 go first; milliseconds. */
const MAX_PASSED_MS = 1_000;

/**
 * Keeps work that takes much processor time from holding up the others: decides what a batch may hold.
 *
 * Every transaction above {@link COSTLY_MS} counts against its block, and with what is above that against its
 * sender, whatever its gas bound and however it ended. While no sender took more than {@link FREE_MS} lately,
 * batches are taken in the mempool's order. Otherwise senders on whom less time was spent go first
 * ({@link SenderTimes}), and small gas bounds before large ones among equals. The others go when nothing
 * else waits, and now and then while something always does, until costly work took half of the block time.
 * A batch ends once costly transactions took {@link LONG_MS}. A block whose long transactions took half of
 * the block time takes none with a large gas bound any longer but those of senders on whom little was spent.
 */
export class LongWork {
  readonly #times = new SenderTimes(FREE_MS);
  readonly #budgetMs: number;
  readonly #passedMs: number;
  /** Of the batch that was asked for, and of the one at hand: they may be two; `undefined`: any order. */
  #asked: Precedence | undefined;
  #atHand: Precedence | undefined;
  /** Processor time of the open block's costly transactions, and of the long ones among them. */
  #costlyMs = 0;
  #longMs = 0;
  /** The same of the batch at hand, and of all its transactions. */
  #batchCostlyMs = 0;
  #batchMs = 0;
  /** When the others had a turn for the last time, or one of their long transactions ended. */
  #turnAtMs = 0;

  /** @param blockTimeMs - may be infinite */
  constructor(blockTimeMs: number) {
    this.#budgetMs = blockTimeMs / 2;
    this.#passedMs = Math.min(this.#budgetMs, MAX_PASSED_MS);
  }

  /** What the next batch is to hold; `undefined`: anything, in the mempool's order. */
  ask(nowMs: number): Precedence | undefined {
    if (this.#isCalm(nowMs)) {
      this.#turnAtMs = nowMs;
      this.#asked = undefined;
    } else {
      this.#asked = {
        levels: this.#times.levels(nowMs),
        isTurnOfOthers: this.#costlyMs < this.#budgetMs && nowMs - this.#turnAtMs >= this.#passedMs,
        holdsLarge: this.#longMs >= this.#budgetMs,
      };
    }
    return this.#asked;
  }

  /** What was asked for last has come, to be executed next. */
  received(): void {
    this.#atHand = this.#asked;
    this.#batchCostlyMs = 0;
    this.#batchMs = 0;
  }

  /** Whether a transaction of the batch may be executed, after what was executed since it was asked for. */
  mayGo(candidate: Candidate, nowMs: number): boolean {
    if (this.#isCalm(nowMs)) return true;
    const transaction = rankedOf(candidate);
    const isLarge = transaction.gasLimit > MAX_SMALL_GAS;
    const level = this.#times.levelOf(transaction.sender, nowMs);
    if (level > 0 && isLarge && this.#longMs >= this.#budgetMs) return false;
    if (this.#atHand === undefined) return level === 0 && !isLarge;
    return level <= (this.#atHand.levels.get(transaction.sender) ?? 0);
  }

  /** A transaction took this processor time. @returns whether the batch goes on */
  executed(candidate: Candidate, processorMs: number, nowMs: number): boolean {
    const { sender, gasLimit } = rankedOf(candidate);
    const isOther = gasLimit > MAX_SMALL_GAS || this.#times.levelOf(sender, nowMs) > 0;
    if (this.#atHand?.isTurnOfOthers === true || (processorMs >= LONG_MS && isOther)) {
      this.#turnAtMs = nowMs;
    }
    if (processorMs > COSTLY_MS) {
      this.#times.add(sender, processorMs - COSTLY_MS, nowMs);
      this.#costlyMs += processorMs;
      this.#batchCostlyMs += processorMs;
    }
    this.#batchMs += processorMs;
    if (processorMs >= LONG_MS) this.#longMs += processorMs;
    return this.#batchCostlyMs < LONG_MS && this.#batchMs < BATCH_MS;
  }

  /** The open block was sealed. */
  sealed(): void {
    this.#costlyMs = 0;
    this.#longMs = 0;
  }

  #isCalm(nowMs: number): boolean {
    return this.#longMs === 0 && !this.#times.hasRaised(nowMs);
  }
}

function rankedOf({ transaction: { transaction } }: Candidate): RankedTransaction {
  return { sender: senderAddressOf(transaction), gasLimit: gasLimitOf(transaction) };
}
