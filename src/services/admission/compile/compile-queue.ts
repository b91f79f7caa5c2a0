import type { Felt } from "#base/primitives/index.ts";
import { FairQueue } from "../submission/fair-queue.ts";
import type { CompileServiceLimits } from "./compile-limits.ts";

/** Every sender has paid for a signed, valid transaction: none is better than another. */
const GRADE = "plain";

/** What waits: a class in the name of a sender. */
export interface QueuedClass<T> {
  readonly sender: Felt;
  readonly sizeBytes: number;
  readonly item: T;
}

/**
 * The classes that wait for a compiler: bounded, and fair between senders by the time that was spent
 * on their classes. Without room, the newest class of whoever has most waiting gives way.
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
    this.#queue.push(queued, GRADE);
    return true;
  }

  /** Takes the next item out. */
  shift(): QueuedClass<T> | undefined {
    return this.#queue.shift();
  }

  /** Counts time that was spent on a sender; negative when less was spent than counted before. */
  charge(sender: Felt, ms: number): void {
    this.#queue.charge(sender, GRADE, ms);
  }

  #makeRoom({ sender, sizeBytes }: QueuedClass<T>): boolean {
    const { maxCount, maxSizeBytes } = this.#limits;
    if (sizeBytes > maxSizeBytes) return false;
    while (this.#queue.count >= maxCount) {
      if (!this.#displace(sender, "count", 1)) return false;
    }
    while (this.#queue.sizeBytes + sizeBytes > maxSizeBytes) {
      if (!this.#displace(sender, "sizeBytes", sizeBytes)) return false;
    }
    return true;
  }

  /** Only senders give way that have more waiting than `sender` would have. */
  #displace(sender: Felt, measure: "count" | "sizeBytes", added: number): boolean {
    const sizeOf = (other: Felt): number =>
      measure === "count" ? this.#queue.countFrom(other) : this.#queue.sizeBytesFrom(other);
    const largest = this.#queue.largestOf(GRADE, measure);
    if (largest === undefined || sizeOf(largest) <= sizeOf(sender) + added) return false;
    const dropped = this.#queue.dropFrom(largest);
    if (dropped !== undefined) this.#onDropped(dropped.item);
    return true;
  }
}
