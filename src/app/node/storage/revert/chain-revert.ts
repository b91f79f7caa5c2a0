import { DevnetFault, type Reorg } from "#api/rpc/index.ts";
import { NodeError } from "#base/errors/index.ts";
import type { Felt, Timer } from "#base/primitives/index.ts";
import type { BlockHeader } from "#protocol/chain/index.ts";
import { nothingOlderError } from "#io/storage/index.ts";
import type { ChainView } from "../chain/chain-view.ts";
import type { RevertOrder } from "../../threads/revert-messages.ts";

/** What reverting a chain works with. */
export interface ChainRevertDeps {
  /** Stops the threads, and starts them again when the work is done. */
  readonly role: { restart(work: () => Promise<void>): Promise<void> };
  readonly view: Pick<ChainView, "reset" | "withdraw"> & {
    readonly chain: Pick<
      ChainView["chain"],
      "header" | "latestNumber" | "oldestBlock" | "oldestStateBlock"
    >;
  };
  /** Changes what is stored, while nobody else writes. */
  readonly revert: (order: RevertOrder) => Promise<void>;
  /** A thread did not start again: the node has to stop. */
  readonly onFailure: (error: NodeError) => void;
  readonly timer: Timer;
}

/** How far a chain is reverted. */
export interface ChainRevertOrder extends RevertOrder {
  /**
   * Throws when it is not to be done any more: others may have reverted blocks, or settled them,
   * since it was asked for. Called when its turn comes, and again when no thread runs.
   */
  readonly check: () => void;
}

/**
 * Most that are done or wait for their turn. Each takes tenths of a second, or as long as the blocks
 * need that are reverted.
 */
export const MAX_REVERTS = 32;

/**
 * Pause between two, as long as the first of them took but not shorter or longer than this: whoever
 * asks is answered however often the chain is reverted.
 */
export const REVERT_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

/**
 * Reverts the chain of a running node. Threads know the chain from what they have seen, so all of
 * them are stopped and begin anew with what is stored; whoever asks meanwhile waits, connections and
 * subscriptions stay.
 */
export class ChainRevert {
  readonly #deps: ChainRevertDeps;
  #last: Promise<unknown> = Promise.resolve();
  #open = 0;

  constructor(deps: ChainRevertDeps) {
    this.#deps = deps;
  }

  /**
   * Makes a block the newest one.
   *
   * @returns hashes of the accepted blocks that are gone, newest first
   * @throws what `check` throws, and {@link StorageError} when it cannot be done: the chain is as it
   *   was, and goes on
   * @throws {DevnetFault} when {@link MAX_REVERTS} are under way, or the chain was made from a snapshot
   *   and begins above the block
   * @throws {NodeError} when a thread does not start again: the node cannot go on
   */
  async to(order: ChainRevertOrder): Promise<readonly Felt[]> {
    if (this.#open >= MAX_REVERTS) {
      throw new DevnetFault(
        `${MAX_REVERTS} requests to revert the chain are under way, the most that may be: try again later`,
      );
    }
    const { timer } = this.#deps;
    this.#open++;
    let beganMs = 0;
    const done = this.#last.then(() => {
      beganMs = timer.nowMs();
      return this.#to(order);
    });
    // The next one begins when this one has ended, however it ended.
    this.#last = done
      .catch(() => undefined)
      .then(() => {
        const tookMs = timer.nowMs() - beganMs;
        const pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(REVERT_PAUSE_MS, tookMs));
        return new Promise<void>((next) => void timer.after(pauseMs, next));
      });
    try {
      return await done;
    } finally {
      this.#open--;
    }
  }

  async #to({ check, ...order }: ChainRevertOrder): Promise<readonly Felt[]> {
    const { role, view, revert, onFailure } = this.#deps;
    const { blockNumber } = order;
    check();
    const oldest = view.chain.oldestBlock();
    // Threads are not stopped for what cannot be done.
    if (blockNumber < oldest && oldest > 0) {
      throw new DevnetFault(nothingOlderError(blockNumber, oldest).message);
    }
    let removed: readonly Felt[] = [];
    try {
      await role.restart(async () => {
        const reorg = this.#reorgTo(blockNumber);
        try {
          check();
          removed = this.#hashesAbove(blockNumber);
          // What is gone once it is reverted is not shown before: whoever asks meanwhile would be
          // told of a block by its number, and of the state of another one.
          if (blockNumber === 0 || blockNumber >= view.chain.oldestStateBlock()) {
            view.withdraw(blockNumber);
          }
          await revert(order);
        } catch (error) {
          view.reset(undefined);
          throw error;
        }
        view.reset(reorg);
      });
      return removed;
    } catch (error) {
      if (error instanceof NodeError) onFailure(error);
      throw error;
    }
  }

  /** Of accepted blocks, newest first. */
  #hashesAbove(blockNumber: number): readonly Felt[] {
    const { chain } = this.#deps.view;
    const hashes: Felt[] = [];
    for (let number = chain.latestNumber() ?? -1; number > blockNumber; number--) {
      const header = chain.header(number);
      if (header !== undefined) hashes.push(header.hash);
    }
    return hashes;
  }

  /** The accepted blocks above one. */
  #reorgTo(blockNumber: number): Reorg | undefined {
    const { chain } = this.#deps.view;
    const starting = chain.header(blockNumber + 1);
    const ending = chain.header(chain.latestNumber() ?? -1);
    if (starting === undefined || ending === undefined) return undefined;
    const block = ({ number, hash }: BlockHeader) => ({ number, hash });
    return { starting: block(starting), ending: block(ending) };
  }
}
