import type { BlockInfo } from "#protocol/chain/index.ts";
import type { PendingOverlay } from "#engine/state/index.ts";

/** Dependencies of {@link ValidationBlock}. */
export interface ValidationBlockDeps {
  /** Environment of a block opened now on top of the newest accepted one. */
  readonly nextBlockInfo: (nowMs: number) => BlockInfo;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
}

/**
 * Creates the block info (number, time, prices) on which submissions are validated: that of the
 * next block.
 */
export class ValidationBlock {
  readonly #deps: ValidationBlockDeps;
  /** Cached environment while no block is above the accepted ones, with its parent and time. */
  #next: { readonly parent: number; readonly second: number; readonly info: BlockInfo } | undefined;

  constructor(deps: ValidationBlockDeps) {
    this.#deps = deps;
  }

  /** Environment of the newest pending block, or of a block that would be opened this second. */
  infoFor(overlay: Pick<PendingOverlay, "newest" | "acceptedNumber">): BlockInfo {
    const newest = overlay.newest();
    if (newest !== undefined) return newest.info;
    const nowMs = this.#deps.nowMs();
    const parent = overlay.acceptedNumber;
    const second = Math.floor(nowMs / 1000);
    if (this.#next?.parent !== parent || this.#next.second !== second) {
      this.#next = { parent, second, info: this.#deps.nextBlockInfo(nowMs) };
    }
    return this.#next.info;
  }
}
