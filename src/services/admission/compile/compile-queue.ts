import { FairQueue, type Party } from "../submission/fair-queue.ts";
import type { Grade } from "../submission/sender-grades.ts";
import type { CompileServiceLimits } from "./compile-limits.ts";

/**
 * Grade under which unpaid trials, such as estimates of declarations, queue for a compiler; see
 * `FairQueue` for each grade's share of time.
 */
export const TRIAL = "doubtful";

/** Grades of senders of signed, valid transactions. */
const SIGNED = ["plain", "proven"] as const;

/**
 * Class in the compile queue, with the party that it counts against: a sender, or a client address.
 */
export interface QueuedClass<T> {
  readonly sender: Party;
  readonly sizeBytes: number;
  readonly item: T;
  readonly grade: Grade;
}

/** Bounds of {@link CompileQueue}. */
export type QueueLimits = Pick<CompileServiceLimits, "maxCount" | "maxSizeBytes" | "maxWaitMs">;

/** Callbacks of {@link CompileQueue}. */
export interface CompileQueueEvents<T> {
  /** Estimated time until `count` classes with `sizeBytes` in total are compiled, in milliseconds. */
  readonly waitMs: (sizeBytes: number, count: number) => number;
  /** Called when an item is displaced. */
  readonly onDropped: (item: T) => void;
}

/**
 * Queue of classes to compile: bounded in number, bytes and time, and fair between senders by the time spent
 * on their classes. When full, it drops the newest class of the sender with the most queued, worst grade
 * first.
 */
export class CompileQueue<T> {
  readonly #limits: QueueLimits;
  readonly #events: CompileQueueEvents<T>;
  readonly #queue = new FairQueue<T>();

  constructor(limits: QueueLimits, events: CompileQueueEvents<T>) {
    this.#limits = limits;
    this.#events = events;
  }

  get count(): number {
    return this.#queue.count;
  }

  /** Estimated time until all queued classes are compiled, in milliseconds. */
  get waitMs(): number {
    return this.#events.waitMs(this.#queue.sizeBytes, this.#queue.count);
  }

  /** Moves everything queued for a sender or an address behind the others. */
  demote(sender: Party): void {
    this.#queue.regrade(sender, TRIAL);
  }

  /** @returns whether there was room, possibly made by displacing others */
  push(queued: QueuedClass<T>): boolean {
    if (!this.#makeRoom(queued)) return false;
    this.#queue.push(queued, queued.grade);
    return true;
  }

  /**
   * Removes and returns the next item.
   *
   * @param mayTry - whether it may be a trial
   */
  shift(mayTry: boolean): QueuedClass<T> | undefined {
    return this.#queue.shift(mayTry ? undefined : TRIAL);
  }

  /** Removes an item without requests; `onDropped` is not called. */
  remove(sender: Party, item: T): void {
    this.#queue.remove(sender, item);
  }

  /** Charges time to a sender; negative to correct an earlier estimate that was too high. */
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

  /** Whether adding a class would exceed the queue's time limit; a single class may take any time. */
  #isTooLong(addedBytes: number): boolean {
    const { count, sizeBytes } = this.#queue;
    const waitMs = this.#events.waitMs(sizeBytes + addedBytes, count + 1);
    return count > 0 && waitMs > this.#limits.maxWaitMs;
  }

  /**
   * Drops from the largest sender of a worse grade; within the same grade, only from one with more queued
   * than `sender` would have.
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
