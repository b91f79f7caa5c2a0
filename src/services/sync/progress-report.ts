import type { SyncProgress } from "./messages.ts";
import type { BlockReference } from "./ports.ts";

/**
 * Answers in a row that have to tell a lower newest block before it counts: behind a balancer, replicas lag
 * now and then, and a gateway that told of blocks which there are not is not believed for long.
 */
export const LOWER_HEADS = 10;

/** How far a follower is, told when that changes. */
export class ProgressReport {
  readonly #starting: BlockReference | undefined;
  readonly #tell: (progress: SyncProgress) => void;
  #current: BlockReference | undefined;
  #highest: BlockReference | undefined;
  #told: BlockReference | undefined;
  /** Highest of the lower ones that were told in a row, and how many those are. */
  #lower: BlockReference | undefined;
  #lowerCount = 0;

  /**
   * Tells where it begins.
   *
   * @param starting - newest stored block; `undefined`: there is none
   */
  constructor(starting: BlockReference | undefined, tell: (progress: SyncProgress) => void) {
    this.#starting = starting;
    this.#current = starting;
    this.#tell = tell;
    this.#report();
  }

  /**
   * The gateway told its newest block. One that is lower counts once {@link LOWER_HEADS} answers were,
   * but never below the newest stored one.
   *
   * @param head - an object for each answer: the same one is the same answer
   */
  head(head: BlockReference): void {
    if (head === this.#told) return;
    this.#told = head;
    const isLower = head.number < (this.#highest?.number ?? -1);
    const highest = isLower ? this.#lowerHead(head) : head;
    if (highest === undefined) return;
    this.#forgetLower();
    if (highest.number === this.#highest?.number && highest.hash === this.#highest.hash) return;
    this.#highest = highest;
    this.#report();
  }

  /** A block is stored. */
  stored(block: BlockReference): void {
    this.#current = block;
    if (block.number > (this.#highest?.number ?? -1)) {
      this.#highest = block;
      this.#forgetLower();
    }
    this.#report();
  }

  /** @returns the highest of those that were told in a row; `undefined`: there are not enough of them */
  #lowerHead(head: BlockReference): BlockReference | undefined {
    if (head.number >= (this.#lower?.number ?? -1)) this.#lower = head;
    this.#lowerCount++;
    if (this.#lowerCount < LOWER_HEADS) return undefined;
    const isBelowOurs = (this.#lower?.number ?? -1) < (this.#current?.number ?? -1);
    return isBelowOurs ? this.#current : this.#lower;
  }

  #forgetLower(): void {
    this.#lower = undefined;
    this.#lowerCount = 0;
  }

  #report(): void {
    this.#tell({ starting: this.#starting, current: this.#current, highest: this.#highest });
  }
}
