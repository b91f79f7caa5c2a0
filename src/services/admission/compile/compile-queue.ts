import type { Felt } from "#base/primitives/index.ts";
import { FairQueue } from "../submission/fair-queue.ts";
import type { Grade } from "../submission/sender-grades.ts";
import type { CompileServiceLimits } from "./compile-limits.ts";

/** Trials, for which nobody has to pay; see `FairQueue` for what each grade gets of the time. */
export const TRIAL = "doubtful";

/** Grades of senders of signed, valid transactions. */
const SIGNED = ["plain", "proven"] as const;

/** What waits: a class in the name of a sender. */
export interface QueuedClass<T> {
  readonly sender: Felt;
  readonly sizeBytes: number;
  readonly item: T;
  /** A trial's sender is never one of a declaration, too: `doubtful` stands for trials alone. */
  readonly grade: Grade;
}

/**
 * The classes that wait for a compiler: bounded, and fair between senders by the time that was spent
 * on their classes. Without room, the newest class of whoever has most waiting gives way, trials to
 * declarations first.
 */
export class CompileQueue<T> {
  readonly #limits: Pick<CompileServiceLimits, "maxCount" | "maxSizeBytes">;
  readonly #queue = new FairQueue<T>();
  readonly #onDropped: (item: T) => void;

  /** @param onDropped - hears of each item that gave way */
  constructor(
    limits: Pick<CompileServiceLimits, "maxCount" | "maxSizeBytes">,
    onDropped: (item: T) => void,
  ) {
    this.#limits = limits;
    this.#onDropped = onDropped;
  }

  /** Classes that wait. */
  get count(): number {
    return this.#queue.count;
  }

  /** @returns whether there was, or could be made, room for it */
  push(queued: QueuedClass<T>): boolean {
    if (!this.#makeRoom(queued)) return false;
    this.#queue.push(queued, queued.grade);
    return true;
  }

  /**
   * Takes the next item out.
   *
   * @param mayTry - whether it may be a trial
   */
  shift(mayTry: boolean): QueuedClass<T> | undefined {
    const next = this.#queue.shift(mayTry ? undefined : TRIAL);
    return next;
  }

  /** Takes an item out that nobody waits for any more; nobody hears of it. */
  remove(sender: Felt, item: T): void {
    this.#queue.remove(sender, item);
  }

  /** Counts time that was spent on a sender; negative when less was spent than counted before. */
  charge(sender: Felt, grade: Grade, ms: number): void {
    this.#queue.charge(sender, grade, ms);
  }

  #makeRoom({ sender, sizeBytes, grade }: QueuedClass<T>): boolean {
    const { maxCount, maxSizeBytes } = this.#limits;
    if (sizeBytes > maxSizeBytes) return false;
    while (this.#queue.count >= maxCount) {
      if (!this.#displace(sender, grade, "count", 1)) return false;
    }
    while (this.#queue.sizeBytes + sizeBytes > maxSizeBytes) {
      if (!this.#displace(sender, grade, "sizeBytes", sizeBytes)) return false;
    }
    return true;
  }

  /**
   * The largest sender of a worse grade gives way; of its own grade only one that has more waiting than
   * `sender` would have.
   */
  #displace(sender: Felt, grade: Grade, measure: "count" | "sizeBytes", added: number): boolean {
    const sizeOf = (other: Felt): number =>
      measure === "count" ? this.#queue.countFrom(other) : this.#queue.sizeBytesFrom(other);
    for (const worse of [TRIAL, ...SIGNED] as const) {
      const largest = this.#queue.largestOf(worse, measure);
      if (worse !== grade) {
        if (largest !== undefined) return this.#drop(largest);
        continue;
      }
      if (largest === undefined || sizeOf(largest) <= sizeOf(sender) + added) return false;
      return this.#drop(largest);
    }
    return false;
  }

  #drop(sender: Felt): boolean {
    const dropped = this.#queue.dropFrom(sender);
    if (dropped !== undefined) this.#onDropped(dropped.item);
    return dropped !== undefined;
  }
}
