import { senderAddressOf } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { statelessRefusal, WITHOUT_CLASS } from "./admission-rules.ts";
import type { AdmitterDeps } from "./admitter.ts";
import type { CheckedSubmission } from "./checked-submission.ts";
import { areFree, type FreeRules } from "./free-transactions.ts";
import { mempoolEntryOf } from "./mempool-entry.ts";
import { mayPrecedeDeployment } from "./preceding-deployment.ts";
import { decodeReceived, hashReceived } from "./submission/received.ts";
import { verdictOf } from "./validation-verdict.ts";

/** Dependencies of {@link SubmissionChecker}; see {@link AdmitterDeps}. */
export interface SubmissionCheckerDeps extends Pick<
  AdmitterDeps,
  | "chainId"
  | "limits"
  | "maxNonceForValidationSkip"
  | "overlay"
  | "isImpersonatedAccount"
  | "validate"
> {
  /** `null` on a chain that charges no fees. */
  readonly free: FreeRules | null;
  /** Whether a part of the node died of this transaction. */
  readonly isFatal: (hash: Felt) => boolean;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
}

/**
 * Runs the checks that need only the transaction and the pending state: a validator's part of admission.
 * Checks against the mempool are left to its owner, which decides. It applies its own rules first, so that a
 * transaction gets the same answer whichever thread validated it.
 */
export class SubmissionChecker {
  readonly #deps: SubmissionCheckerDeps;

  constructor(deps: SubmissionCheckerDeps) {
    this.#deps = deps;
  }

  /**
   * Checks a transaction; refuses declarations.
   *
   * @param bytes - the encoded transaction; its hash is computed here if missing
   * @throws {DecodeError} when the bytes are not a transaction
   */
  check(bytes: Uint8Array): CheckedSubmission {
    const { chainId, limits, overlay: current, isImpersonatedAccount, nowMs } = this.#deps;
    const decoded = decodeReceived(bytes);
    const refusal = statelessRefusal(decoded.transaction, limits);
    if (refusal !== undefined) return { kind: "refused", refusal };
    if (decoded.transaction.type === "DECLARE") return { kind: "refused", refusal: WITHOUT_CLASS };
    const received = hashReceived(decoded, chainId);
    const isImpersonated = isImpersonatedAccount(senderAddressOf(received.transaction));
    const entry = mempoolEntryOf(received, nowMs(), 0, isImpersonated);
    const overlay = current();
    const isSenderUndeployed = mayPrecedeDeployment(
      entry,
      this.#deps.maxNonceForValidationSkip,
      overlay.state(),
    );
    const { free, isFatal, validate } = this.#deps;
    const isUnpaid = entry.isFree === true && free !== null && !areFree(free, overlay.state());
    const verdict =
      isUnpaid || isFatal(entry.hash)
        ? null
        : verdictOf(validate(received, overlay, isSenderUndeployed, isImpersonated));
    return { kind: "checked", entry, isSenderUndeployed, verdict };
  }
}
