export { Mempool } from "./mempool.ts";
export { bumpedTip } from "./order.ts";
export type {
  AddOutcome,
  AddRefusal,
  DroppedEntry,
  MempoolEntry,
  MempoolLimits,
  RestoreOutcome,
} from "./types.ts";
export { PriorityQueue } from "./priority-queue.ts";
export type { SubmitOutcome, WriteErrorName } from "./submit-outcome.ts";
