/**
 * The mempool: validated transactions in the order in which they may be executed. It orders and limits, in
 * memory only; `MempoolService` makes its decisions durable, and reports decisions made elsewhere to it.
 *
 * An entry is one of:
 *
 * - *waiting, executable*: its nonce is the next one of its account; at most one for each account.
 * - *waiting behind others*: earlier nonces wait too, or are missing because they have not been sent yet.
 * - *in flight*: handed out by `take`; the executor has it, and its account continues with the next nonce.
 *
 * Transitions:
 *
 * - `add` makes an entry wait. It may replace a waiting entry of the same nonce with a lower offer, and evict
 *   others.
 * - `take` hands out executable entries, if ranked those of the lowest rank. Entries restored after a restart
 *   go first, in arrival order; then by tip and arrival, or by arrival alone. An entry in quarantine comes
 *   alone.
 * - `settleIncluded` removes it. `settleRejected` removes it and reopens its nonce: the account's later
 *   entries wait for a replacement. `requeue` makes it wait again, at its old place.
 * - `expire` and `drop` remove waiting entries, and so does `add` with those whose nonce was used meanwhile;
 *   entries in flight stay.
 *
 * Invariants: one entry at most for each account and nonce, waiting and in flight together; within an account
 * no entry is handed out before the preceding nonce; each change takes O(log n).
 *
 * Durability: none by itself. After a restart or a revert `restore` fills a new mempool from the disk, in
 * arrival order; of two entries with the same nonce the later one stays.
 *
 * Limits (`MempoolLimits`) apply to additions: transactions and bytes, in total and by account, declarations,
 * the distance of nonces. They do not apply to transactions that were answered as received and come back, by
 * `restore` or `requeue`. Entries in flight are not counted. A full mempool refuses new entries, or evicts
 * those furthest from execution, then the lowest tip, then the latest arrival.
 */
export { Mempool } from "./mempool.ts";
export { outbids, requiredOffer } from "./order.ts";
export type {
  AddOutcome,
  AddRefusal,
  DroppedEntry,
  MempoolEntry,
  MempoolLimits,
  Ranking,
  RestoreOutcome,
} from "./types.ts";
export { PriorityQueue } from "./priority-queue.ts";
export type { SubmitOutcome, WriteErrorName } from "./submit-outcome.ts";
