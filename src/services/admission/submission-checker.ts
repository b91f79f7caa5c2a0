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

/** What a checker works with; see {@link AdmitterDeps}. */
export interface SubmissionCheckerDeps extends Pick<
  AdmitterDeps,
  "chainId" | "limits" | "maxNonceForValidationSkip" | "overlay" | "impersonates" | "validate"
> {
  /** `null` on a chain that takes no fees. */
  readonly free: FreeRules | null;
  /** Whether a part of the node died of a transaction. */
  readonly isFatal: (hash: Felt) => boolean;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
}

/**
 * Checks what needs nothing but the transaction and the pending state: a validator's part of admission.
 * What only the mempool knows is left to its owner, which has the last word: it asks its own rules first,
 * so that a transaction gets the same answer, whoever validated it.
 */
export class SubmissionChecker {
  readonly #deps: SubmissionCheckerDeps;

  constructor(deps: SubmissionCheckerDeps) {
    this.#deps = deps;
  }

  /**
   * Checks a transaction that is no declaration.
   *
   * @param bytes - encoded; its hash is computed here unless it is there
   * @throws {DecodeError} when the bytes are not a transaction
   */
  check(bytes: Uint8Array): CheckedSubmission {
    const { chainId, limits, overlay: current, impersonates, nowMs } = this.#deps;
    const decoded = decodeReceived(bytes);
    const refusal = statelessRefusal(decoded.transaction, limits);
    if (refusal !== undefined) return { kind: "refused", refusal };
    if (decoded.transaction.type === "DECLARE") return { kind: "refused", refusal: WITHOUT_CLASS };
    const received = hashReceived(decoded, chainId);
    const isImpersonated = impersonates(senderAddressOf(received.transaction));
    const entry = mempoolEntryOf(received, nowMs(), 0, isImpersonated);
    const overlay = current();
    const senderIsToBeDeployed = mayPrecedeDeployment(
      entry,
      this.#deps.maxNonceForValidationSkip,
      overlay.state(),
    );
    const { free, isFatal, validate } = this.#deps;
    const isUnpaid = entry.isFree === true && free !== null && !areFree(free, overlay.state());
    const verdict =
      isUnpaid || isFatal(entry.hash)
        ? null
        : verdictOf(validate(received, overlay, senderIsToBeDeployed, isImpersonated));
    return { kind: "checked", entry, senderIsToBeDeployed, verdict };
  }
}
