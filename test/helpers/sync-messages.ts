import type { AcceptedMessage } from "#services/sequencer/index.ts";
import type { FromSync, SyncProgress, SyncRefusal } from "#services/sync/index.ts";

/**
 * Creates the message about a block that was imported from a gateway; its hash is 0x1000 plus its
 * number.
 */
export function importedBlock(blockNumber: number): AcceptedMessage {
  return {
    kind: "accepted",
    blockNumber,
    blockHash: BigInt(blockNumber) + 0x1000n,
    transactionCount: 3,
    eventCount: 7,
    revertedTransactions: { count: 0, first: [] },
    productionSeconds: 0,
    commitSeconds: 0.25,
  };
}

/**
 * Progress of a follower that started without blocks (`starting` is `undefined`). A block's hash is 0x1000 plus
 * its number.
 *
 * @param current - newest stored block; `undefined` if none
 * @param highest - newest block of the gateway; `undefined` until it is known
 */
export function progressAt(current: number | undefined, highest: number | undefined): SyncProgress {
  const reference = (number: number | undefined) =>
    number === undefined ? undefined : { number, hash: BigInt(number) + 0x1000n };
  return { starting: undefined, current: reference(current), highest: reference(highest) };
}

/** Creates a follower's refusal of a block for its state root. */
export function refusalOf(
  blockNumber: number | null,
  message = "expected 0x1, got 0x2",
): SyncRefusal {
  return { check: "state_root", blockNumber, message };
}

/** The sync thread's progress message. */
export function progressMessage(
  current: number | undefined,
  highest: number | undefined,
): FromSync {
  return { kind: "progress", progress: progressAt(current, highest) };
}
