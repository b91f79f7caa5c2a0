import type { BlockInfo } from "#protocol/chain/index.ts";
import type { PendingOverlay } from "#engine/state/index.ts";

/** What a validation block works with. */
export interface ValidationBlockDeps {
  /** The block that would be opened now, on top of the newest accepted one. */
  readonly nextBlockInfo: (nowMs: number) => BlockInfo;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
}

/** The block in which submissions are validated. */
export class ValidationBlock {
  readonly #deps: ValidationBlockDeps;
  /** Environment while no block is above the accepted ones, and when it was made. */
  #next: { readonly parent: number; readonly second: number; readonly info: BlockInfo } | undefined;

  constructor(deps: ValidationBlockDeps) {
    this.#deps = deps;
  }

  /** The newest block's environment, else that of the block that would be opened this second. */
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
