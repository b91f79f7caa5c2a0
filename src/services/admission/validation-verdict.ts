import { encodePrevalidated, type ValidationOutcome } from "#engine/execution/index.ts";
import { type Refusal, refusalOf } from "./admission-rules.ts";

/** Result of a validation. */
export type Verdict =
  | { readonly kind: "refused"; readonly refusal: Refusal }
  /** Exceeds the thread's time limit. */
  | { readonly kind: "undecided" }
  | {
      readonly kind: "valid";
      /** Whether the account's own code was not run. */
      readonly skipped: boolean;
      /** Encoded validation result for the executor, if any. */
      readonly prevalidated: Uint8Array | null;
    };

/** Converts a validation outcome to a verdict. */
export function verdictOf(outcome: ValidationOutcome): Verdict {
  switch (outcome.kind) {
    case "rejected":
      return { kind: "refused", refusal: refusalOf(outcome.error) };
    case "cancelled":
      return { kind: "undecided" };
    case "valid": {
      const { skipped, prevalidated: call } = outcome;
      const prevalidated = call === undefined ? null : encodePrevalidated(call);
      return { kind: "valid", skipped, prevalidated };
    }
  }
}
