import type { Reorg } from "#api/rpc/index.ts";
import { NodeError } from "#base/errors/index.ts";
import type { BlockHeader } from "#protocol/chain/index.ts";
import type { AdmissionClient } from "./admission/admission-client.ts";
import type { ChainView } from "./chain-view.ts";
import type { ToldThreads } from "./devnet/told-threads.ts";
import type { WorkerQueryPool } from "./query/query-pool.ts";
import type { NodeThreads } from "./threads.ts";
import type { UnwindOrder } from "./unwind-stored.ts";

/** What taking a chain back works with. */
export interface ChainRewindParts {
  readonly threads: Pick<NodeThreads, "restart">;
  readonly paths: {
    readonly admission: Pick<AdmissionClient, "hold" | "interrupt" | "release">;
    readonly queryPool: Pick<WorkerQueryPool, "hold" | "release">;
  };
  readonly view: Pick<ChainView, "reset"> & {
    readonly chain: Pick<ChainView["chain"], "header" | "latestNumber">;
  };
  readonly told: Pick<ToldThreads, "interrupt">;
  /** Changes what is stored, while nobody else writes. */
  readonly unwind: (order: UnwindOrder) => Promise<void>;
  /** A thread did not start again: the node has to stop. */
  readonly onFailure: (error: NodeError) => void;
}

/**
 * Takes the chain of a running node back. Threads know the chain from what they have seen, so all of
 * them are stopped and begin anew with what is stored; whoever asks meanwhile waits, connections and
 * subscriptions stay.
 */
export class ChainRewind {
  readonly #parts: ChainRewindParts;
  #last: Promise<void> = Promise.resolve();

  constructor(parts: ChainRewindParts) {
    this.#parts = parts;
  }

  /**
   * Makes `blockNumber` the newest block.
   *
   * @param keepReceived - transactions that wait for a block are kept
   * @throws {StorageError} when that cannot be done: the chain is as it was, and goes on
   * @throws {NodeError} when a thread does not start again: the node cannot go on
   */
  to(blockNumber: number, keepReceived: boolean): Promise<void> {
    const done = this.#last.then(() => this.#to(blockNumber, keepReceived));
    // The next one begins when this one has ended, however it ended.
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #to(blockNumber: number, keepReceived: boolean): Promise<void> {
    const { threads, paths, view, told, unwind, onFailure } = this.#parts;
    paths.admission.hold();
    try {
      await paths.queryPool.hold();
      await threads.restart(async () => {
        paths.admission.interrupt();
        told.interrupt();
        const reorg = this.#reorgTo(blockNumber);
        try {
          await unwind({ blockNumber, keepReceived });
        } catch (error) {
          view.reset(undefined);
          throw error;
        }
        view.reset(reorg);
      });
    } catch (error) {
      if (error instanceof NodeError) onFailure(error);
      throw error;
    } finally {
      paths.queryPool.release();
      paths.admission.release();
    }
  }

  /** The accepted blocks above one. */
  #reorgTo(blockNumber: number): Reorg | undefined {
    const { chain } = this.#parts.view;
    const starting = chain.header(blockNumber + 1);
    const ending = chain.header(chain.latestNumber() ?? -1);
    if (starting === undefined || ending === undefined) return undefined;
    const block = ({ number, hash }: BlockHeader) => ({ number, hash });
    return { starting: block(starting), ending: block(ending) };
  }
}
