import type { UnwindProgress } from "#io/storage/index.ts";
import type { UnwindOrder } from "../folder/revert-stored.ts";

/** Messages about an unwinding, to and from the thread that does it. */
export interface UnwindMessages {
  readonly to: { readonly kind: "unwind"; readonly order: UnwindOrder };
  readonly from:
    | { readonly kind: "unwinding"; readonly progress: UnwindProgress }
    /** It is over; with the reason when nothing was changed. */
    | {
        readonly kind: "unwound";
        readonly refusal: { readonly code: string; readonly message: string } | null;
      };
}
