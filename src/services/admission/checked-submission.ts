import type { Refusal } from "./admission-rules.ts";
import type { MempoolEntry } from "./mempool/index.ts";
import type { Verdict } from "./validation-verdict.ts";

/** Result of a validator's check of a submission. */
export type CheckedSubmission =
  /** Refused for its own fields. */
  | { readonly kind: "refused"; readonly refusal: Refusal }
  | {
      readonly kind: "checked";
      /** The mempool entry, with the hash in its bytes. */
      readonly entry: MempoolEntry;
      /** Validated under the assumption that it may precede its sender's deployment. */
      readonly isSenderUndeployed: boolean;
      /** `null` when not validated, because the mempool is going to refuse it. */
      readonly verdict: Verdict | null;
    };
