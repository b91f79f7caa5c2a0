import type { Refusal } from "./admission-rules.ts";
import type { MempoolEntry } from "./mempool/index.ts";
import type { Verdict } from "./validation-verdict.ts";

/** A submission as a validator has found it. */
export type CheckedSubmission =
  /** Its own fields are against it. */
  | { readonly kind: "refused"; readonly refusal: Refusal }
  | {
      readonly kind: "checked";
      /** As the mempool would have it, with its hash in its bytes. */
      readonly entry: MempoolEntry;
      /** It was validated as one that may precede its sender's deployment. */
      readonly senderIsToBeDeployed: boolean;
      /** `null`: it was not validated, for the mempool's owner is going to refuse it. */
      readonly verdict: Verdict | null;
    };
