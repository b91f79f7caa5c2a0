/**
 * The mempool: validated transactions in the order in which they may be executed. It orders and limits,
 * in memory alone; `MempoolService` makes durable what it decides, and tells it what is decided
 * elsewhere.
 *
 * An entry is one of:
 *
 * - *waiting, executable*: its nonce is the next one of its account; at most one for each account.
 * - *waiting behind others*: nonces before it wait too, or are missing: nobody has sent them yet.
 * - *in flight*: handed out by `take`; the executor has it, and its account goes on with the next nonce.
 *
 * How it moves:
 *
 * - `add` makes it wait. It may replace a waiting entry of its nonce that has less tip, and evict others.
 * - `take` hands out executable entries, if they are ranked those of the lowest rank. What came back after a restart goes first, in the order of its
 *   arrival; then by tip and arrival, or by arrival alone. An entry in quarantine comes alone.
 * - `settleIncluded` ends it. `settleRejected` ends it, and its nonce is open again: what its account has
 *   behind it waits for another one. `giveBack` makes it wait again, at its old place.
 * - `expire` and `drop` end waiting entries, and so does `add` with those whose nonce was used meanwhile;
 *   those in flight stay.
 *
 * What holds: one entry at most for each account and nonce, waiting and in flight together; within an
 * account nothing is handed out before the nonce before it; each change takes O(log n).
 *
 * What survives: nothing by itself. After a restart or a revert `restore` fills a new one from the disk,
 * in the order of arrival; of two entries of one nonce the later one stays.
 *
 * Limits (`MempoolLimits`) hold for what is added: transactions and bytes, together and by account,
 * declarations, the distance of nonces. They do not hold for what was answered as received and comes
 * back, by `restore` or `giveBack`. What is in flight is not counted. A full mempool refuses newcomers,
 * or evicts what is furthest from execution, then what has the lowest tip, then what came last.
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
