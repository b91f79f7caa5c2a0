import { StorageError } from "#base/errors/index.ts";
import type { ChainRetention } from "./types.ts";

/** Everything is kept. */
export const ARCHIVE: ChainRetention = { keepProofs: "archive", pruneHistory: "archive" };

/** The oldest block whose state is kept. */
export function oldestKeptState({ pruneHistory }: ChainRetention, newest: number): number {
  return pruneHistory === "archive" ? 0 : Math.max(0, newest - pruneHistory + 1);
}

/**
 * The oldest block whose tries are kept.
 *
 * @param l1Accepted - newest block that is accepted on L1; `undefined` when none is
 */
export function oldestKeptTrie(
  { keepProofs, keepUnsettledProofs = false }: ChainRetention,
  newest: number,
  l1Accepted: number | undefined,
): number {
  if (keepProofs === "archive") return 0;
  const oldest = Math.max(0, newest - keepProofs + 1);
  // The newest accepted one, too: a block is proven on top of the tries of the one before.
  return keepUnsettledProofs ? Math.min(oldest, l1Accepted ?? 0) : oldest;
}

/** A chain from a snapshot cannot be reverted to what was before it. */
export function nothingOlderError(blockNumber: number, oldest: number): StorageError {
  const target = blockNumber < 0 ? "nothing" : `block ${blockNumber}`;
  return new StorageError(
    "STORAGE_NO_OLDER",
    `The chain cannot be reverted to ${target}: it was made from a snapshot and begins with block ${oldest}.`,
    { meta: { blockNumber, oldest } },
  );
}

/** What is read is not kept any more. */
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
