import type { Felt } from "#base/primitives/index.ts";
import type { StoredMempoolEntry } from "#io/storage/index.ts";
import { decodeTransaction, nonceOf, senderAddressOf } from "#protocol/chain/index.ts";

/** Transaction that waits to be forwarded to the sequencer that makes the blocks. */
export interface WaitingTransaction {
  readonly hash: Felt;
  /** Encoded transaction; decoded only when it is sent, because few of many queued ones are. */
  readonly bytes: Uint8Array;
  readonly nonce: Felt;
  /**
   * Whether the transaction may be sent while the account's earlier ones are in flight: the sequencer then
   * accepts a gap between nonces.
   */
  readonly mayPrecede: boolean;
  refusals: number;
}

/**
 * Groups transactions by account: accounts in the order of their first arrival, the transactions of an
 * account by nonce.
 *
 * @param entries - in the order of arrival
 */
export function waitingQueues(
  entries: readonly Pick<StoredMempoolEntry, "hash" | "bytes">[],
): WaitingTransaction[][] {
  const queues = new Map<Felt, WaitingTransaction[]>();
  for (const { hash, bytes } of entries) {
    const { transaction } = decodeTransaction(bytes);
    // Accounts never send these, so they are not in a mempool.
    if (transaction.type === "DEPLOY" || transaction.type === "L1_HANDLER") continue;
    const sender = senderAddressOf(transaction);
    const waiting = {
      hash,
      bytes,
      nonce: nonceOf(transaction),
      mayPrecede: transaction.type === "INVOKE",
      refusals: 0,
    };
    const queue = queues.get(sender);
    if (queue === undefined) queues.set(sender, [waiting]);
    else queue.push(waiting);
  }
  const ordered = [...queues.values()];
  for (const queue of ordered) queue.sort((a, b) => Number(a.nonce - b.nonce));
  return ordered;
}
