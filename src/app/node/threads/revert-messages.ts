import type { RevertProgress } from "#io/storage/index.ts";
import type { RevertOrder } from "../folder/revert-stored.ts";

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
