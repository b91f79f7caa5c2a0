import type { RevertProgress } from "#io/storage/index.ts";

/** What is reverted, and how far. */
export interface RevertOrder {
  readonly blockNumber: number;
  /** Otherwise what waits for a block is deleted, too. */
  readonly keepReceived: boolean;
  /** Otherwise no block is accepted on L1 any more: the chain begins anew. */
  readonly keepL1Accepted: boolean;
}

/** Messages about a revert, to and from the thread that does it. */
export interface RevertMessages {
  readonly to: { readonly kind: "revert"; readonly order: RevertOrder };
  readonly from:
    | { readonly kind: "reverting"; readonly progress: RevertProgress }
    /** It is over; with the reason when nothing was changed. */
    | {
        readonly kind: "reverted";
        readonly refusal: { readonly code: string; readonly message: string } | null;
      };
}
