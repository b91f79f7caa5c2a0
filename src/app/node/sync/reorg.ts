import { NodeError } from "#base/errors/index.ts";
import { type Felt, hexFromFelt, type Timer } from "#base/primitives/index.ts";
import { describeError, type Logger } from "#base/telemetry/index.ts";
import type { SyncRevert } from "#services/sync/index.ts";
import type { ChainRevert } from "../storage/revert/chain-revert.ts";

/**
 * Delay after a failed revert before the gateway is followed again, in milliseconds. It doubles with each
 * failure, up to {@link LONGEST_RETRY_MS}.
 */
export const RETRY_MS = 10_000;

/** Maximum delay after a failed revert. */
export const LONGEST_RETRY_MS = 600_000;

/**
 * Reverts without a pause within {@link STORM_MS}. Blocks of an abandoned branch stay signed: a gateway that
 * alternates between branches, or two gateways that disagree, could otherwise revert the node back and forth
 * forever.
 */
export const MAX_QUICK_REVERTS = 4;

/** Period in which a revert counts towards {@link MAX_QUICK_REVERTS}. */
export const STORM_MS = 600_000;

/** Pause before each further revert. The sync thread repeats its order if the branch is still there. */
export const STORM_PAUSE_MS = 50_000;

/** Dependencies of {@link Reorg}. */
export interface ReorgDeps {
  readonly chain: {
    header(blockNumber: number): { readonly hash: Felt } | undefined;
    latestNumber(): number | undefined;
    l1AcceptedNumber(): number | undefined;
  };
  readonly revert: Pick<ChainRevert, "to">;
  /** Restarts the threads: the sync thread waits to be stopped. */
  readonly restart: () => Promise<void>;
  readonly log: Logger;
  readonly timer: Timer;
}

/** Reverts the chain to the newest block that it shares with the gateway's. */
export class Reorg {
  readonly #deps: ReorgDeps;
  /** Times of recent reverts, oldest first. */
  #doneMs: number[] = [];
  #failures = 0;
  #isUnderWay = false;

  constructor(deps: ReorgDeps) {
    this.#deps = deps;
  }

  /**
   * Reverts as ordered, unless a revert is running or {@link STORM_PAUSE_MS} has to pass first. Resolves when
   * the threads run again, also after a failed revert, or when the node is stopping.
   */
  async to(order: SyncRevert): Promise<void> {
    if (this.#isUnderWay) return;
    if (this.#isStorm()) {
      const { log } = this.#deps;
      log.warn("the chain is reorganized again and again: the next revert is delayed", {
        to: order.blockNumber,
        reverts: this.#doneMs.length,
        pause_s: STORM_PAUSE_MS / 1000,
      });
      return;
    }
    this.#isUnderWay = true;
    try {
      await this.#revert(order);
    } finally {
      this.#isUnderWay = false;
    }
  }

  async #revert(order: SyncRevert): Promise<void> {
    const { revert, log, chain, timer } = this.#deps;
    const { blockNumber } = order;
    log.warn(`the chain was reorganized: back to block ${blockNumber}`, {
      hash: hexFromFelt(order.blockHash),
      newest: chain.latestNumber() ?? -1,
    });
    try {
      const removed = await revert.to({
        blockNumber,
        keepReceived: true,
        keepL1Accepted: true,
        check: () => this.#check(order),
      });
      this.#failures = 0;
      this.#doneMs.push(timer.nowMs());
      log.warn("reverted blocks", { blocks: removed.length, newest: blockNumber });
    } catch (error) {
      log.error("the chain was not reverted", { reason: describeError(error) });
      await this.#tryAgain();
    }
  }

  #isStorm(): boolean {
    const nowMs = this.#deps.timer.nowMs();
    this.#doneMs = this.#doneMs.filter((atMs) => nowMs - atMs < STORM_MS);
    const lastMs = this.#doneMs.at(-1);
    if (lastMs === undefined || this.#doneMs.length < MAX_QUICK_REVERTS) return false;
    return nowMs - lastMs < STORM_PAUSE_MS;
  }

  /** @throws {NodeError} when the revert is no longer allowed or no longer applies */
  #check({ blockNumber, blockHash }: SyncRevert): void {
    const { chain } = this.#deps;
    const settled = chain.l1AcceptedNumber() ?? -1;
    if (settled > blockNumber) {
      throw new NodeError(
        "NODE_REVERT_BELOW_L1",
        `block ${settled} is accepted on L1: it cannot be reverted`,
      );
    }
    if (chain.header(blockNumber)?.hash === blockHash) return;
    throw new NodeError(
      "NODE_REVERT_OVERTAKEN",
      `block ${blockNumber} is no longer the one that both chains share`,
    );
  }

  /** Restarts the threads after a delay, until it succeeds or the node is stopping. */
  async #tryAgain(): Promise<void> {
    const { timer, restart, log } = this.#deps;
    for (;;) {
      const retryMs = Math.min(LONGEST_RETRY_MS, RETRY_MS * 2 ** Math.min(this.#failures++, 16));
      await new Promise<void>((resolve) => void timer.after(retryMs, resolve));
      try {
        await restart();
        return;
      } catch (error) {
        if (error instanceof NodeError && error.code === "NODE_STOPPING") return;
        log.error("the threads did not restart", { reason: describeError(error) });
      }
    }
  }
}
