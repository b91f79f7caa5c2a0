import type { Felt } from "#base/primitives/index.ts";
import type { StoredMempoolEntry } from "#io/storage/index.ts";
import { decodeTransaction, nonceOf, senderAddressOf } from "#protocol/chain/index.ts";

/** A transaction that waits to be handed over. */
export interface WaitingTransaction {
  readonly hash: Felt;
  /** Encoded: of many that wait, few are looked at. */
  readonly bytes: Uint8Array;
  readonly nonce: Felt;
  /** Another nonce of its account may be missing before it: so it need not wait for the one before. */
  readonly mayPrecede: boolean;
  /** How often it was refused, one time after the other. */
  refusals: number;
}

/**
 * What waits, account by account: accounts in the order in which the first of each came, the
 * transactions of an account by nonce.
 *
 * @param entries - in the order of their arrival
 */
export function waitingQueues(
  entries: readonly Pick<StoredMempoolEntry, "hash" | "bytes">[],
): WaitingTransaction[][] {
  const queues = new Map<Felt, WaitingTransaction[]>();
  for (const { hash, bytes } of entries) {
    const { transaction } = decodeTransaction(bytes);
    // Nobody has sent these: they are not in a mempool.
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
