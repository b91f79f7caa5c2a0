import type { SyncProgress } from "./messages.ts";
import type { BlockReference } from "./ports.ts";

/**
 * Consecutive responses with a lower newest block before it counts. Replicas behind a load balancer lag from
 * time to time, but a gateway that reported blocks which do not exist must not be believed for long.
 */
export const LOWER_HEADS = 10;

/** Sync progress of a follower, reported on every change. */
export class ProgressReport {
  readonly #starting: BlockReference | undefined;
  readonly #send: (progress: SyncProgress) => void;
  #current: BlockReference | undefined;
  #highest: BlockReference | undefined;
  #lastHead: BlockReference | undefined;
  /** Highest of the consecutive lower heads. */
  #lower: BlockReference | undefined;
  #lowerCount = 0;

  /**
   * Reports the starting point.
   *
   * @param starting - newest stored block; `undefined` if none
   */
  constructor(starting: BlockReference | undefined, tell: (progress: SyncProgress) => void) {
    this.#starting = starting;
    this.#current = starting;
    this.#send = tell;
    this.#report();
  }

  /**
   * Records the newest block that the gateway reported. A lower one counts only after {@link LOWER_HEADS}
   * consecutive responses, and never below the newest stored block.
   *
   * @param head - one object per response: the same object is ignored
   */
  head(head: BlockReference): void {
    if (head === this.#lastHead) return;
    this.#lastHead = head;
    const isLower = head.number < (this.#highest?.number ?? -1);
    const highest = isLower ? this.#lowerHead(head) : head;
    if (highest === undefined) return;
    this.#resetLower();
    if (highest.number === this.#highest?.number && highest.hash === this.#highest.hash) return;
    this.#highest = highest;
    this.#report();
  }

  stored(block: BlockReference): void {
    this.#current = block;
    if (block.number > (this.#highest?.number ?? -1)) {
      this.#highest = block;
      this.#resetLower();
    }
    this.#report();
  }

  /** @returns the highest of the consecutive lower heads; `undefined` until there are enough */
  #lowerHead(head: BlockReference): BlockReference | undefined {
    if (head.number >= (this.#lower?.number ?? -1)) this.#lower = head;
    this.#lowerCount++;
    if (this.#lowerCount < LOWER_HEADS) return undefined;
    const isBelowOurs = (this.#lower?.number ?? -1) < (this.#current?.number ?? -1);
    return isBelowOurs ? this.#current : this.#lower;
  }

  #resetLower(): void {
    this.#lower = undefined;
    this.#lowerCount = 0;
  }

  #report(): void {
    this.#send({ starting: this.#starting, current: this.#current, highest: this.#highest });
  }
}
