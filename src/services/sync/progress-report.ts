import type { SyncProgress } from "./messages.ts";
import type { BlockReference } from "./ports.ts";

/** How far a follower is, told when that changes. */
export class ProgressReport {
  readonly #starting: BlockReference | undefined;
  readonly #tell: (progress: SyncProgress) => void;
  #current: BlockReference | undefined;
  #highest: BlockReference | undefined;

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

  /** The gateway told its newest block. A replica that is behind does not make it lower. */
  head(head: BlockReference): void {
    const { number } = this.#highest ?? { number: -1 };
    if (head.number < number || (head.number === number && head.hash === this.#highest?.hash))
      return;
    this.#highest = head;
    this.#report();
  }

  /** A block is stored. */
  stored(block: BlockReference): void {
    this.#current = block;
    if (block.number > (this.#highest?.number ?? -1)) this.#highest = block;
    this.#report();
  }

  #report(): void {
    this.#tell({ starting: this.#starting, current: this.#current, highest: this.#highest });
  }
}
