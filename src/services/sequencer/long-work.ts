import {
  type Candidate,
  gasLimitOf,
  type HeldBack,
  MAX_SMALL_GAS,
} from "#services/admission/index.ts";
import { senderAddressOf } from "#protocol/chain/index.ts";
import { SenderTimes } from "./sender-times.ts";

/** Processor time from which on a transaction is a long one; milliseconds. */
export const LONG_MS = 250;

/** Processor time after which a batch ends and gives back what is left; milliseconds. */
export const BATCH_MS = 500;

/** Longest time for which others go before long transactions; milliseconds. */
const MAX_PASSED_MS = 1_000;

/**
 * Whom a batch is taken from: everyone while there was no long work lately (`calm`); else first those
 * whose gas keeps them small, then also those who were not long lately, then everyone (`any`).
 */
type Lane = "calm" | "small" | "usual" | "any";

/**
 * Keeps long transactions from holding up the others: decides what a batch may hold.
 *
 * What a transaction can take at the most is known by its gas; what it is likely to take, by what its
 * sender took before. While there is long work, those with little gas come first, then senders
 * without debts ({@link SenderTimes}); the others go when nothing else waits, and now and then when
 * something always does. A batch ends with its first long transaction. A block whose long
 * transactions took half the block time takes no further one.
 */
export class LongWork {
  readonly #times = new SenderTimes(LONG_MS);
  readonly #budgetMs: number;
  readonly #passedMs: number;
  /** Of the batch that was asked for, and of the one at hand: they may be two. */
  #asked: Lane = "calm";
  #lane: Lane = "calm";
  /** Processor time of the open block's long transactions. */
  #blockMs = 0;
  #batchMs = 0;
  /** When the executor last turned to everyone, or was done with a long transaction. */
  #anyAtMs = 0;

  /** @param blockTimeMs - may be infinite */
  constructor(blockTimeMs: number) {
    this.#budgetMs = blockTimeMs / 2;
    this.#passedMs = Math.min(this.#budgetMs, MAX_PASSED_MS);
  }

  /** What the next batch must not hold; `undefined`: it may hold everything. */
  first(nowMs: number): HeldBack | undefined {
    if (this.#isCalm(nowMs)) this.#asked = "calm";
    else if (this.#isUsedUp || nowMs - this.#anyAtMs < this.#passedMs) this.#asked = "small";
    else this.#asked = "any";
    return this.#heldBack(nowMs);
  }

  /**
   * The same after an empty batch: what is asked for instead.
   *
   * @returns `null` when nothing else may go now
   */
  next(nowMs: number): { readonly heldBack: HeldBack | undefined } | null {
    if (this.#isUsedUp || this.#asked === "any" || this.#asked === "calm") return null;
    this.#asked = this.#asked === "small" ? "usual" : "any";
    return { heldBack: this.#heldBack(nowMs) };
  }

  /** What was asked for last has come, to be executed next. */
  received(): void {
    this.#lane = this.#asked;
    this.#batchMs = 0;
  }

  /** Whether a transaction of the batch may be executed, after what the ones before it took. */
  mayGo({ transaction }: Candidate, nowMs: number): boolean {
    if (this.#lane === "any" || this.#isCalm(nowMs)) return true;
    if (gasLimitOf(transaction.transaction) <= MAX_SMALL_GAS) return true;
    if (this.#lane !== "usual") return false;
    return !this.#times.isOwing(senderAddressOf(transaction.transaction), nowMs);
  }

  /** A transaction took this processor time. @returns whether the batch goes on */
  executed({ transaction }: Candidate, processorMs: number, nowMs: number): boolean {
    const { transaction: fields } = transaction;
    // Small ones are never held back, however many a sender has.
    if (gasLimitOf(fields) > MAX_SMALL_GAS) {
      this.#times.add(senderAddressOf(fields), processorMs, nowMs);
    }
    this.#batchMs += processorMs;
    if (processorMs >= LONG_MS) this.#blockMs += processorMs;
    if (processorMs >= LONG_MS || this.#lane === "any") this.#anyAtMs = nowMs;
    return processorMs < LONG_MS && this.#batchMs < BATCH_MS;
  }

  /** The open block was sealed. */
  sealed(): void {
    this.#blockMs = 0;
  }

  get #isUsedUp(): boolean {
    return this.#blockMs >= this.#budgetMs;
  }

  #isCalm(nowMs: number): boolean {
    return this.#blockMs === 0 && !this.#times.hasOwing(nowMs);
  }

  #heldBack(nowMs: number): HeldBack | undefined {
    switch (this.#asked) {
      case "small":
        return { senders: null };
      case "usual":
        return { senders: this.#times.owing(nowMs) };
      default:
        this.#anyAtMs = nowMs;
        return undefined;
    }
  }
}
