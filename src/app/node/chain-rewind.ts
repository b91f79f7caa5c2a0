import { rmSync } from "node:fs";
import { NodeError } from "#base/errors/index.ts";
import { createChainWriter, openDatabase } from "#io/storage/index.ts";
import type { AdmissionClient } from "./admission/admission-client.ts";
import type { ChainView } from "./chain-view.ts";
import type { ToldThreads } from "./devnet/told-threads.ts";
import { BESIDE } from "./own-files.ts";
import type { WorkerQueryPool } from "./query/query-pool.ts";
import type { NodeSetup } from "./setup.ts";
import type { NodeThreads } from "./threads.ts";

/** What taking a chain back works with. */
export interface ChainRewindParts {
  readonly threads: Pick<NodeThreads, "restart">;
  readonly paths: {
    readonly admission: Pick<AdmissionClient, "hold" | "interrupt" | "release">;
    readonly queryPool: Pick<WorkerQueryPool, "hold" | "release">;
  };
  readonly view: Pick<ChainView, "reset">;
  readonly told: Pick<ToldThreads, "interrupt">;
  /** Changes what is stored, while nobody else writes. */
  readonly unwind: (blockNumber: number, keepReceived: boolean) => Promise<void>;
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
        try {
          await unwind(blockNumber, keepReceived);
        } finally {
          view.reset();
        }
      });
    } catch (error) {
      if (error instanceof NodeError) onFailure(error);
      throw error;
    } finally {
      paths.queryPool.release();
      paths.admission.release();
    }
  }
}

/**
 * Unwinds the stored chain of a data directory that this process has locked and nobody writes to.
 *
 * @param keepReceived - otherwise what waits for a block is deleted, too
 * @throws {StorageError} when the chain cannot be unwound so far; nothing was changed then
 */
export async function unwindStored(
  { files, config }: Pick<NodeSetup, "files" | "config">,
  blockNumber: number,
  keepReceived: boolean,
): Promise<void> {
  const database = await openDatabase({
    path: files.chainDatabase,
    chainId: config.chainId,
    mode: "writer",
    durability: "full",
  });
  try {
    createChainWriter(database).unwindTo(blockNumber);
    database.checkpoint();
  } finally {
    database.close();
  }
  if (keepReceived) return;
  for (const suffix of BESIDE) rmSync(files.mempoolDatabase + suffix, { force: true });
}
