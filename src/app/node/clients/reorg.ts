import { NodeError } from "#base/errors/index.ts";
import { type Felt, hexFromFelt, type Timer } from "#base/primitives/index.ts";
import { describeError, type Logger } from "#base/telemetry/index.ts";
import type { SyncRevert } from "#services/sync/index.ts";
import type { ChainRevert } from "../revert/chain-revert.ts";

/** How long the node waits after a revert that was not done, before the gateway is followed again. */
export const RETRY_MS = 10_000;

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

  constructor(deps: ReorgDeps) {
    this.#deps = deps;
  }

  /** Settles when the threads run again, whether it was done or not. */
  async to(order: SyncRevert): Promise<void> {
    const { revert, log, chain } = this.#deps;
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
      log.warn("blocks were taken back", { blocks: removed.length, newest: blockNumber });
    } catch (error) {
      log.error("the chain was not reverted", { reason: describeError(error) });
      await this.#tryAgain();
    }
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
    await new Promise<void>((resolve) => void timer.after(RETRY_MS, resolve));
    await restart().catch(() => undefined);
  }
}
