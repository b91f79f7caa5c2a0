export { bumpedTip, Mempool } from "./mempool.ts";
export type { AddOutcome, MempoolEntry, MempoolLimits } from "./types.ts";
