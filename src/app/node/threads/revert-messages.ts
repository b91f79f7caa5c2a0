import type { RevertProgress } from "#io/storage/index.ts";
import type { RevertOrder } from "../folder/revert-stored.ts";

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
