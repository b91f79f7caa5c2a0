import { ownLocation } from "../storage/chain/own-location.ts";
import type { Receipt } from "#protocol/chain/index.ts";
import type { ChainReader, PendingOverlay } from "#engine/state/index.ts";
import { DevnetFault } from "#api/rpc/index.ts";
import { type Felt, SYSTEM_TIMER, type Timer } from "#base/primitives/index.ts";
import type { ChainView } from "../storage/chain/chain-view.ts";
import type { RemoteThreads } from "./remote-threads.ts";

/** Time that developer methods wait by default for a transaction's execution or a block's acceptance. */
export const PROGRESS_TIMEOUT_MS = 30_000;

/** Interval at which conditions are re-checked even without a change. */
const LOOK_MS = 100;

/** Dependencies of {@link Progress}. */
export interface ProgressDeps {
  readonly chain: Pick<ChainReader, "latestNumber" | "locate" | "receiptAt">;
  readonly overlay: () => Pick<PendingOverlay, "blocks">;
  readonly timer: Timer;
}

/** Waits for the results of other threads: a transaction's execution, or a block's acceptance. */
export class Progress {
  readonly #deps: ProgressDeps;
  #changed = Promise.withResolvers<void>();
  /** Number of interruptions so far. */
  #interruptions = 0;

  constructor(deps: ProgressDeps) {
    this.#deps = deps;
  }

  /** Re-checks all conditions after an execution or a new block. */
  changed(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  /** Fails all waits after a revert: their conditions may never be met. */
  interrupt(): void {
    this.#interruptions++;
    this.changed();
  }

  /** Receipt of a transaction in an accepted or pending block. */
  receiptOf(hash: Felt): Receipt | undefined {
    const { chain, overlay } = this.#deps;
    for (const block of overlay().blocks()) {
      const found = block.find(hash);
      if (found !== undefined) return block.receipts[found.index];
    }
    const location = ownLocation(chain, hash);
    return location === undefined ? undefined : chain.receiptAt(location);
  }

  /** Number of the accepted or pending block that includes a transaction. */
  blockOf(hash: Felt): number | undefined {
    const { chain, overlay } = this.#deps;
    const block = overlay()
      .blocks()
      .find((block) => block.find(hash) !== undefined);
    return block?.info.number ?? ownLocation(chain, hash)?.blockNumber;
  }

  /**
   * Resolves when a block is accepted.
   *
   * @throws {DevnetFault} on timeout
   */
  async accepted(blockNumber: number): Promise<void> {
    const { chain } = this.#deps;
    await this.until(() => ((chain.latestNumber() ?? -1) >= blockNumber ? true : undefined));
  }

  /**
   * Returns the first value that `look` finds; calls it after every change.
   *
   * @throws {DevnetFault} on timeout, or when the chain is reverted
   */
  async until<T>(
    look: () => T | undefined | Promise<T | undefined>,
    timeoutMs = PROGRESS_TIMEOUT_MS,
  ): Promise<T> {
    const { timer } = this.#deps;
    const endsMs = timer.nowMs() + timeoutMs;
    const interruptions = this.#interruptions;
    for (;;) {
      if (interruptions !== this.#interruptions) {
        throw new DevnetFault("the chain was reverted to an earlier block meanwhile");
      }
      const { promise } = this.#changed;
      const found = await look();
      if (found !== undefined) return found;
      if (timer.nowMs() >= endsMs) throw new DevnetFault("it was not executed in time");
      await this.#pause(promise);
    }
  }

  async #pause(changed: Promise<void>): Promise<void> {
    const late = Promise.withResolvers<void>();
    const cancel = this.#deps.timer.after(LOOK_MS, late.resolve);
    await Promise.race([changed, late.promise]);
    cancel();
  }
}

/** Creates the main thread's {@link Progress}, driven by the messages of the threads. */
export function followProgress(
  { chain, feed }: Pick<ChainView, "chain" | "feed">,
  remote: Pick<RemoteThreads, "onGrowth" | "onInterrupt">,
): Progress {
  const progress = new Progress({ chain, overlay: () => feed.current(), timer: SYSTEM_TIMER });
  remote.onGrowth(() => progress.changed());
  remote.onInterrupt(() => progress.interrupt());
  return progress;
}
