import type { RevertProgress } from "#io/storage/index.ts";

/** Target and scope of a revert. */
export interface RevertOrder {
  readonly blockNumber: number;
  /** Whether to keep waiting transactions; otherwise they are deleted. */
  readonly keepReceived: boolean;
  /** Whether to keep L1 acceptance; otherwise it is cleared, because the chain starts over. */
  readonly keepL1Accepted: boolean;
}

/** Messages to and from the thread that reverts the chain. */
export interface RevertMessages {
  readonly to: { readonly kind: "revert"; readonly order: RevertOrder };
  readonly from:
    | { readonly kind: "reverting"; readonly progress: RevertProgress }
    /** The revert has ended; `refusal` is the reason if nothing was changed. */
    | {
        readonly kind: "reverted";
        readonly refusal: { readonly code: string; readonly message: string } | null;
      };
}
