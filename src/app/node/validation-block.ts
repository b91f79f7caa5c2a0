import type { BlockInfo } from "#protocol/chain/index.ts";
import type { ChainReader, PendingOverlay } from "#engine/state/index.ts";
import { nextBlockInfo } from "./environment.ts";
import type { NodeSetup } from "./setup.ts";

/** The block in which submissions are validated. */
export class ValidationBlock {
  readonly #setup: NodeSetup;
  readonly #chain: ChainReader;
  /** Environment while no block is above the accepted ones. */
  #next: { readonly key: string; readonly info: BlockInfo } | undefined;

  constructor(setup: NodeSetup, chain: ChainReader) {
    this.#setup = setup;
    this.#chain = chain;
  }

  /** The newest block's environment, else that of the block that would be opened this second. */
  infoFor(overlay: PendingOverlay): BlockInfo {
    const newest = overlay.newest();
    if (newest !== undefined) return newest.info;
    const nowMs = Date.now();
    const key = `${overlay.acceptedNumber} ${Math.floor(nowMs / 1000)}`;
    if (this.#next?.key !== key) {
      this.#next = { key, info: nextBlockInfo(this.#setup, this.#chain, nowMs) };
    }
    return this.#next.info;
  }
}
