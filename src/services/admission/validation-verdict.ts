import { encodePrevalidated, type ValidationOutcome } from "#engine/execution/index.ts";
import { type Refusal, refusalOf } from "./admission-rules.ts";

/**
 * Admission's view of an account's validation: refused, valid, or undecided within the time limit.
 */
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

/** Converts the engine's outcome of a validation to admission's verdict. */
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
