import { StorageError } from "#base/errors/index.ts";
import type { ChainRetention } from "./types.ts";

/** Retention setting that keeps all state and all tries. */
export const ARCHIVE: ChainRetention = { keepProofs: "archive", pruneHistory: "archive" };

/** Returns the oldest block whose state is kept. */
export function oldestKeptState({ pruneHistory }: ChainRetention, newest: number): number {
  return pruneHistory === "archive" ? 0 : Math.max(0, newest - pruneHistory + 1);
}

/**
 * Returns the oldest block whose tries are kept.
 *
 * @param l1Accepted - newest block accepted on L1; `undefined` if none
 */
export function oldestKeptTrie(
  { keepProofs, keepUnsettledProofs = false }: ChainRetention,
  newest: number,
  l1Accepted: number | undefined,
): number {
  if (keepProofs === "archive") return 0;
  const oldest = Math.max(0, newest - keepProofs + 1);
  // Includes the newest accepted block: proving a block needs the tries of its parent.
  return keepUnsettledProofs ? Math.min(oldest, l1Accepted ?? 0) : oldest;
}

/** Creates the error for reverting a chain below its first block. */
export function nothingOlderError(blockNumber: number, oldest: number): StorageError {
  const target = blockNumber < 0 ? "nothing" : `block ${blockNumber}`;
  return new StorageError(
    "STORAGE_NO_OLDER",
    `The chain cannot be reverted to ${target}: it begins with block ${oldest}.`,
    { meta: { blockNumber, oldest } },
  );
}

/** Creates the error for reading pruned data. */
export function prunedError(
  what: "state" | "tries",
  blockNumber: number,
  oldest: number,
): StorageError {
  return new StorageError(
    "STORAGE_PRUNED",
    `The ${what} of block ${blockNumber} ${what === "state" ? "is" : "are"} not kept any more; the oldest block with ${what} is ${oldest}.`,
    { meta: { blockNumber, oldest } },
  );
}
