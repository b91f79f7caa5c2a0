import { encodePrevalidated, type ValidationOutcome } from "#engine/execution/index.ts";
import { type Refusal, refusalOf } from "./admission-rules.ts";

/** What a validation says of a transaction. */
export type Verdict =
  | { readonly kind: "refused"; readonly refusal: Refusal }
  /** It takes longer than the thread may wait. */
  | { readonly kind: "undecided" }
  | {
      readonly kind: "valid";
      /** The account's own code was not asked. */
      readonly skipped: boolean;
      /** What the executor need not compute again, encoded; `null`: nothing. */
      readonly prevalidated: Uint8Array | null;
    };

/** The verdict of a validation. */
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
