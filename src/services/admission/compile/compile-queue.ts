import { FairQueue, type Party } from "../submission/fair-queue.ts";
import type { Grade } from "../submission/sender-grades.ts";
import type { CompileServiceLimits } from "./compile-limits.ts";

/** Trials, for which nobody has to pay; see `FairQueue` for what each grade gets of the time. */
export const TRIAL = "doubtful";

/** Grades of senders of signed, valid transactions. */
const SIGNED = ["plain", "proven"] as const;

/** What waits: a class in the name of a sender or an address. */
export interface QueuedClass<T> {
  readonly sender: Party;
  readonly sizeBytes: number;
  readonly item: T;
  readonly grade: Grade;
}

/** Bounds of {@link CompileQueue}. */
export type QueueLimits = Pick<CompileServiceLimits, "maxCount" | "maxSizeBytes" | "maxWaitMs">;

/** What a queue asks of whoever works it off. */
export interface CompileQueueEvents<T> {
  /** Estimated time until `count` classes of `sizeBytes` together are compiled, in milliseconds. */
  readonly waitMs: (sizeBytes: number, count: number) => number;
  /** An item gave way. */
  readonly onDropped: (item: T) => void;
}

/**
 * The classes that wait for a compiler: bounded in number, bytes and time, and fair between senders by the
 * time that was spent on their classes. Without room, the newest class of whoever has most waiting gives
 * way, of the worst grade first.
 */
export class CompileQueue<T> {
  readonly #limits: QueueLimits;
  readonly #events: CompileQueueEvents<T>;
  readonly #queue = new FairQueue<T>();

  constructor(limits: QueueLimits, events: CompileQueueEvents<T>) {
    this.#limits = limits;
    this.#events = events;
  }

  /** Classes that wait. */
  get count(): number {
    return this.#queue.count;
  }

  /** Estimated time until all that waits is compiled, in milliseconds. */
  get waitMs(): number {
    return this.#events.waitMs(this.#queue.sizeBytes, this.#queue.count);
  }

  /** Moves all that waits for a sender or an address behind the others. */
  demote(sender: Party): void {
    this.#queue.regrade(sender, TRIAL);
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
    return this.#queue.shift(mayTry ? undefined : TRIAL);
  }

  /** Takes an item out that nobody waits for any more; nobody hears of it. */
  remove(sender: Party, item: T): void {
    this.#queue.remove(sender, item);
  }

  /** Counts time that was spent on a sender; negative when less was spent than counted before. */
  charge(sender: Party, grade: Grade, ms: number): void {
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
    while (this.#isTooLong(sizeBytes)) {
      if (!this.#displace(sender, grade, "sizeBytes", sizeBytes)) return false;
    }
    return true;
  }

  /** Whether the queue would take too long with one more class; one alone may take any time. */
  #isTooLong(addedBytes: number): boolean {
    const { count, sizeBytes } = this.#queue;
    const waitMs = this.#events.waitMs(sizeBytes + addedBytes, count + 1);
    return count > 0 && waitMs > this.#limits.maxWaitMs;
  }

  /**
   * The largest sender of a worse grade gives way; of its own grade only one that has more waiting than
   * `sender` would have.
   */
  #displace(sender: Party, grade: Grade, measure: "count" | "sizeBytes", added: number): boolean {
    const sizeOf = (other: Party): number =>
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

  #drop(sender: Party): boolean {
    const dropped = this.#queue.dropFrom(sender);
    if (dropped !== undefined) this.#events.onDropped(dropped.item);
    return dropped !== undefined;
  }
}
