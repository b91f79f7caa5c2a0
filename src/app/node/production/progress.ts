import type { Receipt } from "#protocol/chain/index.ts";
import type { ChainReader, PendingOverlay } from "#engine/state/index.ts";
import { DevnetFault } from "#api/rpc/index.ts";
import { type Felt, SYSTEM_TIMER, type Timer } from "#base/primitives/index.ts";
import type { ChainView } from "../storage/chain/chain-view.ts";
import type { RemoteThreads } from "./remote-threads.ts";

/** How long something that was received may take. */
export const PROGRESS_TIMEOUT_MS = 30_000;

/** How often those who wait look again whatever happens. */
const LOOK_MS = 100;

/** What progress is seen in. */
export interface ProgressDeps {
  readonly chain: Pick<ChainReader, "latestNumber" | "locate" | "receiptAt">;
  readonly overlay: () => Pick<PendingOverlay, "blocks">;
  readonly timer: Timer;
}

/** Waits for what other threads do: a transaction to be executed, a block to be accepted. */
export class Progress {
  readonly #deps: ProgressDeps;
  #changed = Promise.withResolvers<void>();
  /** How often the chain was reverted. */
  #interruptions = 0;

  constructor(deps: ProgressDeps) {
    this.#deps = deps;
  }

  /** Something was executed or accepted. */
  changed(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  /** The chain was reverted: what others wait for may never come. */
  interrupt(): void {
    this.#interruptions++;
    this.changed();
  }

  /** The receipt of a transaction in a block, accepted or not. */
  receiptOf(hash: Felt): Receipt | undefined {
    const { chain, overlay } = this.#deps;
    for (const block of overlay().blocks()) {
      const found = block.find(hash);
      if (found !== undefined) return block.receipts[found.index];
    }
    const location = chain.locate(hash);
    return location === undefined ? undefined : chain.receiptAt(location);
  }

  /** The number of the block that has a transaction, accepted or not. */
  blockOf(hash: Felt): number | undefined {
    const { chain, overlay } = this.#deps;
    const block = overlay()
      .blocks()
      .find((block) => block.find(hash) !== undefined);
    return block?.info.number ?? chain.locate(hash)?.blockNumber;
  }

  /**
   * Settles when a block is accepted.
   *
   * @throws {DevnetFault} when that takes too long
   */
  async accepted(blockNumber: number): Promise<void> {
    const { chain } = this.#deps;
    await this.until(() => ((chain.latestNumber() ?? -1) >= blockNumber ? true : undefined));
  }

  /**
   * The first value that `look` finds; it looks whenever something happened.
   *
   * @throws {DevnetFault} when nothing is found in time, or the chain is reverted
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

/** Progress of the chain that the main thread sees, as far as the threads tell of it. */
export function followProgress(
  { chain, feed }: Pick<ChainView, "chain" | "feed">,
  remote: Pick<RemoteThreads, "onGrowth" | "onInterrupt">,
): Progress {
  const progress = new Progress({ chain, overlay: () => feed.current(), timer: SYSTEM_TIMER });
  remote.onGrowth(() => progress.changed());
  remote.onInterrupt(() => progress.interrupt());
  return progress;
}
