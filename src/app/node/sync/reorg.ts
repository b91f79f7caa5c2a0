import { NodeError } from "#base/errors/index.ts";
import { type Felt, hexFromFelt, type Timer } from "#base/primitives/index.ts";
import { describeError, type Logger } from "#base/telemetry/index.ts";
import type { SyncRevert } from "#services/sync/index.ts";
import type { ChainRevert } from "../storage/revert/chain-revert.ts";

/**
 * How long the node waits after a revert that was not done, before the gateway is followed again: twice as
 * long each time, up to {@link LONGEST_RETRY_MS}.
 */
export const RETRY_MS = 10_000;

/** The longest such wait. */
export const LONGEST_RETRY_MS = 600_000;

/**
 * Reverts that are done at once, in {@link STORM_MS}. Blocks of a branch that was left stay signed: a
 * gateway that tells of both in turns, or two gateways, would have the node taken back and forth for ever.
 */
export const MAX_QUICK_REVERTS = 4;

/** How long a revert counts among those. */
export const STORM_MS = 600_000;

/** Pause before each that comes after those. Whoever has asked asks again if the branch is still there. */
export const STORM_PAUSE_MS = 50_000;

/** What a reorg works with. */
export interface ReorgDeps {
  readonly chain: {
    header(blockNumber: number): { readonly hash: Felt } | undefined;
    latestNumber(): number | undefined;
    l1AcceptedNumber(): number | undefined;
  };
  readonly revert: Pick<ChainRevert, "to">;
  /** Starts the threads again: the one that asked waits to be stopped. */
  readonly restart: () => Promise<void>;
  readonly log: Logger;
  readonly timer: Timer;
}

/** Reverts the chain to the newest block that it has in common with the gateway's. */
export class Reorg {
  readonly #deps: ReorgDeps;
  /** When the chain was reverted lately, the oldest first. */
  #doneMs: number[] = [];
  #failures = 0;
  #isUnderWay = false;

  constructor(deps: ReorgDeps) {
    this.#deps = deps;
  }

  /** Settles when the threads run again, whether it was done or not. */
  async to(order: SyncRevert): Promise<void> {
    if (this.#isUnderWay) return;
    if (this.#isStorm()) {
      const { log } = this.#deps;
      log.warn("the chain is reorganized again and again: the next time has to wait", {
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
      log.warn("blocks were taken back", { blocks: removed.length, newest: blockNumber });
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

  /** @throws {NodeError} when it is not to be done any more */
  #check({ blockNumber, blockHash }: SyncRevert): void {
    const { chain } = this.#deps;
    const settled = chain.l1AcceptedNumber() ?? -1;
    if (settled > blockNumber) {
      throw new NodeError(
        "NODE_REVERT_BELOW_L1",
        `block ${settled} is accepted on L1: it is never taken back`,
      );
    }
    if (chain.header(blockNumber)?.hash === blockHash) return;
    throw new NodeError(
      "NODE_REVERT_OVERTAKEN",
      `block ${blockNumber} is another one than the one that both chains have`,
    );
  }

  async #tryAgain(): Promise<void> {
    const { timer, restart } = this.#deps;
    const retryMs = Math.min(LONGEST_RETRY_MS, RETRY_MS * 2 ** Math.min(this.#failures++, 16));
    await new Promise<void>((resolve) => void timer.after(retryMs, resolve));
    await restart().catch(() => undefined);
  }
}
