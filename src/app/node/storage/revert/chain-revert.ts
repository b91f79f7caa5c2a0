import { DevnetFault, type Reorg } from "#api/rpc/index.ts";
import { NodeError } from "#base/errors/index.ts";
import { type Felt, type Timer, Turns } from "#base/primitives/index.ts";
import type { BlockHeader } from "#protocol/chain/index.ts";
import { nothingOlderError } from "#io/storage/index.ts";
import type { ChainView } from "../chain/chain-view.ts";
import type { RevertOrder } from "../../threads/revert-messages.ts";

/** Dependencies of {@link ChainRevert}. */
export interface ChainRevertDeps {
  /** Stops the threads, and restarts them after the work. */
  readonly role: { restart(work: () => Promise<void>): Promise<void> };
  readonly view: Pick<ChainView, "reset" | "withdraw"> & {
    readonly chain: Pick<
      ChainView["chain"],
      "header" | "latestNumber" | "oldestBlock" | "oldestStateBlock"
    >;
  };
  /** Reverts the stored chain; no other writer may run. */
  readonly revert: (order: RevertOrder) => Promise<void>;
  /** Called when a thread does not restart: the node has to stop. */
  readonly onFailure: (error: NodeError) => void;
  readonly timer: Timer;
}

/** Target of a revert, with a check whether it still applies. */
export interface ChainRevertOrder extends RevertOrder {
  /**
   * Throws when the revert no longer applies: others may have reverted or settled blocks since the request.
   * Called before the threads stop, and again when none runs.
   */
  readonly check: () => void;
}

/** Maximum running and waiting reverts. Each takes tenths of a second, or longer with many blocks. */
export const MAX_REVERTS = 32;

/**
 * Minimum pause between two reverts. The pause is as long as the first one took, within these limits, so that
 * requests are answered however often the chain is reverted.
 */
export const REVERT_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

/**
 * Reverts the chain of a running node. Threads derive their state from the messages they have seen, so all of
 * them are stopped and restarted from the stored chain. Requests wait meanwhile; connections and
 * subscriptions stay open.
 */
export class ChainRevert {
  readonly #deps: ChainRevertDeps;
  readonly #turns = new Turns();
  #open = 0;
  /** Settles with the latest revert that has begun. */
  #latest: Promise<unknown> = Promise.resolve();
  /** Why reverts are refused from now on; `undefined` while they are not. */
  #endedBecause: string | undefined;

  constructor(deps: ChainRevertDeps) {
    this.#deps = deps;
  }

  /**
   * Makes a block the newest one.
   *
   * @returns hashes of the reverted accepted blocks, newest first
   * @throws errors of `check`, and {@link StorageError} when the revert fails: the chain is unchanged and
   *   continues
   * @throws {DevnetFault} when {@link MAX_REVERTS} are running or waiting, the chain comes from a snapshot and
   *   starts above the block, or after {@link end}
   * @throws {NodeError} when a thread does not restart: the node cannot continue
   */
  async to(order: ChainRevertOrder): Promise<readonly Felt[]> {
    if (this.#open >= MAX_REVERTS) {
      throw new DevnetFault(
        `${MAX_REVERTS} requests to revert the chain are in progress, which is the maximum: try again later`,
      );
    }
    const { timer } = this.#deps;
    this.#open++;
    let beganMs = 0;
    const done = this.#turns.run(() => {
      if (this.#endedBecause !== undefined) throw new DevnetFault(this.#endedBecause);
      beganMs = timer.nowMs();
      const reverting = this.#to(order);
      this.#latest = Promise.allSettled([reverting]);
      return reverting;
    });
    void this.#turns.run(() => {
      if (this.#endedBecause !== undefined) return;
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

  /** Refuses reverts that wait, and later ones. Resolves after the one that runs. */
  async end(reason: string): Promise<void> {
    this.#endedBecause ??= reason;
    await this.#latest;
  }

  async #to({ check, ...order }: ChainRevertOrder): Promise<readonly Felt[]> {
    const { role, view, revert, onFailure } = this.#deps;
    const { blockNumber } = order;
    check();
    const oldest = view.chain.oldestBlock();
    // Checked before the threads are stopped in vain.
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
          // Hides reverted data first. Otherwise a concurrent request could see a block by its number
          // together with the state of another one.
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

  /** Returns the hashes of accepted blocks, newest first. */
  #hashesAbove(blockNumber: number): readonly Felt[] {
    const { chain } = this.#deps.view;
    const hashes: Felt[] = [];
    for (let number = chain.latestNumber() ?? -1; number > blockNumber; number--) {
      const header = chain.header(number);
      if (header !== undefined) hashes.push(header.hash);
    }
    return hashes;
  }

  /** Returns the range of accepted blocks above one. */
  #reorgTo(blockNumber: number): Reorg | undefined {
    const { chain } = this.#deps.view;
    const starting = chain.header(blockNumber + 1);
    const ending = chain.header(chain.latestNumber() ?? -1);
    if (starting === undefined || ending === undefined) return undefined;
    const block = ({ number, hash }: BlockHeader) => ({ number, hash });
    return { starting: block(starting), ending: block(ending) };
  }
}
