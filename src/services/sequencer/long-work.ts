import {
  type Candidate,
  gasLimitOf,
  MAX_SMALL_GAS,
  type Precedence,
  type RankedTransaction,
} from "#services/admission/index.ts";
import { senderAddressOf } from "#protocol/chain/index.ts";
import { SenderTimes } from "./sender-times.ts";

/**
 * Processor time from which a transaction counts as long, and after which costly ones end a batch;
 * milliseconds.
 */
export const LONG_MS = 250;

/**
 * Processor time that a transaction may use without being counted: enough for a transfer, even while code is
 * compiled or memory is collected; milliseconds.
 */
export const COSTLY_MS = 4;

/** Counted processor time that a sender may use before others take precedence; milliseconds. */
export const FREE_MS = 50;

/** Processor time after which a batch ends and gives the rest back; milliseconds. */
export const BATCH_MS = 500;

/** Maximum time during which small transactions of level-0 senders take precedence; milliseconds. */
const MAX_PASSED_MS = 1_000;

/**
 * Keeps expensive transactions from delaying the others by deciding what a batch may hold.
 *
 * Every transaction above {@link COSTLY_MS} counts against its block, and its excess over that counts against
 * its sender, regardless of its gas limit and outcome. While no sender used more than {@link FREE_MS}
 * recently, batches follow the mempool's order. Otherwise senders that used less time take precedence
 * ({@link SenderTimes}), and among equals small gas limits go before large ones. The others run when nothing
 * else is queued, and from time to time under constant load, until costly transactions have used half of the
 * block time. A batch ends once costly transactions have used {@link LONG_MS}. Once long transactions have
 * used half of the block time, the block accepts large gas limits only from senders that used little time.
 */
export class LongWork {
  readonly #times = new SenderTimes(FREE_MS);
  readonly #budgetMs: number;
  readonly #passedMs: number;
  /** Precedence of the requested batch; `undefined` for any order. */
  #requested: Precedence | undefined;
  /** Precedence of the current batch, which may differ from the requested one; `undefined` for any order. */
  #current: Precedence | undefined;
  /** Processor time of the open block's costly transactions. */
  #costlyMs = 0;
  /** Processor time of the open block's long transactions, a part of the costly ones. */
  #longMs = 0;
  /** Processor time of the current batch's costly transactions. */
  #batchCostlyMs = 0;
  #batchMs = 0;
  /** Time of the last turn of the other senders, or of the end of one of their long transactions. */
  #turnAtMs = 0;

  /** @param blockTimeMs - may be infinite */
  constructor(blockTimeMs: number) {
    this.#budgetMs = blockTimeMs / 2;
    this.#passedMs = Math.min(this.#budgetMs, MAX_PASSED_MS);
  }

  /** Returns the precedence of the next batch; `undefined` for any transactions in the mempool's order. */
  ask(nowMs: number): Precedence | undefined {
    if (this.#isCalm(nowMs)) {
      this.#turnAtMs = nowMs;
      this.#requested = undefined;
    } else {
      this.#requested = {
        levels: this.#times.levels(nowMs),
        isTurnOfOthers: this.#costlyMs < this.#budgetMs && nowMs - this.#turnAtMs >= this.#passedMs,
        holdsBackLarge: this.#longMs >= this.#budgetMs,
      };
    }
    return this.#requested;
  }

  /** Records that the requested batch has arrived and is executed next. */
  received(): void {
    this.#current = this.#requested;
    this.#batchCostlyMs = 0;
    this.#batchMs = 0;
  }

  /** Whether a transaction of the batch may run, given what was executed since the batch was requested. */
  mayExecute(candidate: Candidate, nowMs: number): boolean {
    if (this.#isCalm(nowMs)) return true;
    const transaction = rankedOf(candidate);
    const isLarge = transaction.gasLimit > MAX_SMALL_GAS;
    const level = this.#times.levelOf(transaction.sender, nowMs);
    if (level > 0 && isLarge && this.#longMs >= this.#budgetMs) return false;
    if (this.#current === undefined) return level === 0 && !isLarge;
    return level <= (this.#current.levels.get(transaction.sender) ?? 0);
  }

  /** Records the processor time of a transaction. @returns whether the batch continues */
  executed(candidate: Candidate, processorMs: number, nowMs: number): boolean {
    const { sender, gasLimit } = rankedOf(candidate);
    const isOther = gasLimit > MAX_SMALL_GAS || this.#times.levelOf(sender, nowMs) > 0;
    if (this.#current?.isTurnOfOthers === true || (processorMs >= LONG_MS && isOther)) {
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
