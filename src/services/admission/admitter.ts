import {
  type AccountTransaction,
  type ClassContents,
  type HashedTransaction,
  senderAddressOf,
} from "#protocol/chain/index.ts";
import { OriginError } from "#base/errors/index.ts";
import type { ValidationOutcome } from "#engine/execution/index.ts";
import type { Mempool, MempoolEntry } from "./mempool/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { SubmitOutcome } from "./mempool/index.ts";
import type { ChainReader, PendingOverlay } from "#engine/state/index.ts";
import type { MempoolService } from "./mempool-service.ts";
import {
  includedRefusal,
  mempoolRefusal,
  type Refusal,
  type StatelessLimits,
  statelessRefusal,
  WITHOUT_CLASS,
} from "./admission-rules.ts";
import type { FreeTransactionGate } from "./free-transaction-gate.ts";
import { freedomOf, mempoolEntryOf } from "./mempool-entry.ts";
import { mayPrecedeDeployment } from "./preceding-deployment.ts";
import { type Departure, droppedRejections } from "./rejection-reasons.ts";
import { decodeReceived, hashReceived, type Received } from "./submission/received.ts";
import type { CheckedSubmission } from "./checked-submission.ts";
import { type Verdict, verdictOf } from "./validation-verdict.ts";

/**
 * Result of admission's own checks of a submission: refused, undecided because its validation takes
 * too long here, or passed.
 */
export type Admitted =
  | { readonly kind: "refused"; readonly refusal: Refusal }
  /** The validation exceeds this thread's time budget. */
  | {
      readonly kind: "undecided";
      /** The encoded transaction, hash included. */
      readonly bytes: Uint8Array;
      readonly isSenderUndeployed: boolean;
      /** Account that the transaction deploys; `null` for other types. */
      readonly deploys: Felt | null;
    }
  /**
   * The sender is not deployed, and its deployment is not in the mempool. Once it arrives, this invoke may be
   * accepted without validation. All other checks passed.
   */
  | { readonly kind: "early"; readonly sender: Felt; readonly bytes: Uint8Array }
  | {
      readonly kind: "taken";
      /** The response, to be sent once {@link entry} is durable. */
      readonly outcome: SubmitOutcome;
      /** Already added to the mempool. */
      readonly entry: MempoolEntry;
      /** Entries that left the mempool because of this one. */
      readonly rejections: readonly Departure[];
      /** Encoded validation result, so that the executor need not recompute it. */
      readonly prevalidated: Uint8Array | undefined;
    };

/** Data that accompanies a submission. */
export interface SubmissionMetadata {
  /** Set when another thread has validated the transaction successfully. */
  readonly validation?:
    | {
        /** Encoded validation result, so that the executor need not recompute it. */
        readonly prevalidated: Uint8Array | null;
      }
    | undefined;
  readonly declared?: ClassContents | undefined;
  /** The submission was early and has waited for its sender's deployment: accept or refuse it now. */
  readonly hasWaited?: boolean | undefined;
  /** Whether a validation that lacks a value of a fork's origin is left to a thread that waits for it. */
  readonly mayWait?: boolean | undefined;
}

interface EntryMetadata extends SubmissionMetadata {
  readonly classHash?: Felt | undefined;
}

/** Dependencies of {@link Admitter}. */
export interface AdmitterDeps {
  readonly chainId: Felt;
  readonly limits: StatelessLimits;
  /** Highest nonce of an invoke that may skip validation because its sender is about to be deployed. */
  readonly maxNonceForValidationSkip: number;
  readonly pool: Mempool;
  readonly free: Pick<FreeTransactionGate, "refusalOf">;
  readonly chain: Pick<ChainReader, "locate">;
  /** Returns the current state above the chain. */
  readonly overlay: () => PendingOverlay;
  readonly mempool: Pick<MempoolService, "rejectionOf" | "pausedRefusal" | "validated">;
  /** Whether an account's transactions are accepted with any signature. */
  readonly isImpersonatedAccount: (address: Felt) => boolean;
  /** Runs the account's validation on the pending state. */
  readonly validate: (
    hashed: HashedTransaction<AccountTransaction>,
    overlay: PendingOverlay,
    isSenderUndeployed: boolean,
    isImpersonated: boolean,
  ) => ValidationOutcome;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
}

/** Decides on submissions: cheap rules first, then the account's validation, then the mempool's rules. */
export class Admitter {
  readonly #deps: AdmitterDeps;

  constructor(deps: AdmitterDeps) {
    this.#deps = deps;
  }

  /**
   * Checks a transaction and adds it to the mempool if all checks pass.
   *
   * @param bytes - the encoded transaction; its hash is computed here if missing
   * @throws {DecodeError} when the bytes are not a transaction
   */
  admit(bytes: Uint8Array, metadata: SubmissionMetadata = {}): Admitted {
    const decoded = decodeReceived(bytes);
    const cheap = this.#cheapRefusal(decoded.transaction);
    if (cheap !== undefined) return refused(cheap);
    const received = hashReceived(decoded, this.#deps.chainId);
    const { transaction } = received;
    const { declared } = metadata;
    if (transaction.type === "DECLARE" && declared === undefined) return refused(WITHOUT_CLASS);
    const entry = this.#entryOf(received, declared?.contractClass.byteLength ?? 0);
    const classHash = transaction.type === "DECLARE" ? transaction.classHash : undefined;
    const { mayWait = false } = metadata;
    const validate = (...sender: [boolean, boolean]) =>
      this.#validate(received, ...sender, mayWait);
    return this.#admitEntry(entry, { ...metadata, classHash }, validate);
  }

  /**
   * Adds a transaction that a validator has checked to the mempool, if the remaining checks pass.
   *
   * @param mayWait - as {@link SubmissionMetadata.mayWait}
   */
  admitChecked(checked: CheckedSubmission, mayWait: boolean): Admitted {
    if (checked.kind === "refused") return checked;
    const { entry, isSenderUndeployed: assumed, verdict } = checked;
    const unpaid = this.#deps.free.refusalOf(entry);
    if (unpaid !== undefined) return refused(unpaid);
    return this.#admitEntry(entry, {}, (isSenderUndeployed, isImpersonated) => {
      // The sender was deployed meanwhile: run the validation that was skipped.
      const isUsable = verdict !== null && isSenderUndeployed === assumed;
      if (isUsable) return verdict;
      const received = decodeReceived(entry.bytes);
      return this.#validate(received, isSenderUndeployed, isImpersonated, mayWait);
    });
  }

  /**
   * Returns the refusal that a transaction would get before validation; changes nothing.
   *
   * @param bytes - the encoded transaction, hash included
   * @param classSizeBytes - size of the class that it declares
   * @throws {DecodeError} when the bytes are not a transaction
   */
  refusalOf(bytes: Uint8Array, classSizeBytes: number): Refusal | undefined {
    const received = decodeReceived(bytes);
    const cheap = this.#cheapRefusal(received.transaction);
    if (cheap !== undefined) return cheap;
    const judged = this.#judge(this.#entryOf(received, classSizeBytes));
    return judged.kind === "refused" ? judged.refusal : undefined;
  }

  /** Checks that do not need the transaction hash. */
  #cheapRefusal(transaction: AccountTransaction): Refusal | undefined {
    const { limits, free } = this.#deps;
    return statelessRefusal(transaction, limits) ?? free.refusalOf(freedomOf(transaction));
  }

  #entryOf(received: Received, classSizeBytes: number): MempoolEntry {
    const { isImpersonatedAccount, nowMs } = this.#deps;
    const isImpersonated = isImpersonatedAccount(senderAddressOf(received.transaction));
    return mempoolEntryOf(received, nowMs(), classSizeBytes, isImpersonated);
  }

  #validate(
    received: Received,
    isSenderUndeployed: boolean,
    isImpersonated: boolean,
    mayWait: boolean,
  ): Verdict {
    const { validate, overlay } = this.#deps;
    try {
      return verdictOf(validate(received, overlay(), isSenderUndeployed, isImpersonated));
    } catch (error) {
      if (!mayWait || !(error instanceof OriginError)) throw error;
      return { kind: "undecided" };
    }
  }

  #judge(entry: MempoolEntry): Judged {
    const { pool, mempool, overlay } = this.#deps;
    const accountNonce = overlay().state().nonceAt(entry.sender);
    const known = this.#knownRefusal(entry, accountNonce);
    if (known !== undefined) return refused(known);
    const paused = mempool.pausedRefusal(entry);
    if (paused !== undefined) return refused(paused);
    // Refusals of the mempool are cheap; validation is not.
    const refusal = pool.check(entry, accountNonce);
    if (refusal !== undefined) return refused(mempoolRefusal(refusal, entry.nonce));
    return { kind: "free", accountNonce };
  }

  /** @param validate - runs the account's validation, or returns its known result */
  #admitEntry(
    entry: MempoolEntry,
    { validation: earlier, hasWaited = false, classHash }: EntryMetadata,
    validate: (isSenderUndeployed: boolean, isImpersonated: boolean) => Verdict,
  ): Admitted {
    const { pool, mempool, overlay, maxNonceForValidationSkip: maxNonce, nowMs } = this.#deps;
    const { sender, bytes, kind, isImpersonated = false } = entry;
    const judged = this.#judge(entry);
    if (judged.kind === "refused") return judged;
    const mayPrecede =
      earlier === undefined && mayPrecedeDeployment(entry, maxNonce, overlay().state());
    const isEarly = mayPrecede && !hasWaited && !pool.hasDeployOf(sender);
    const isSenderUndeployed = isEarly || (mayPrecede && pool.hasDeployOf(sender));
    const verdict: Verdict =
      earlier === undefined
        ? validate(isSenderUndeployed, isImpersonated)
        : { kind: "valid", skipped: false, ...earlier };
    if (verdict.kind === "refused") return verdict;
    if (isEarly) return { kind: "early", sender, bytes };
    if (verdict.kind === "undecided") {
      const deploys = kind === "DEPLOY_ACCOUNT" ? sender : null;
      return { kind: "undecided", bytes, isSenderUndeployed, deploys };
    }
    const outcome = pool.add(entry, judged.accountNonce);
    if (outcome.kind !== "added") return refused(mempoolRefusal(outcome, entry.nonce));
    if (!verdict.skipped) mempool.validated(entry);
    return {
      kind: "taken",
      entry,
      rejections: droppedRejections(outcome.dropped, entry, nowMs()),
      prevalidated: verdict.prevalidated ?? undefined,
      outcome: {
        kind: "accepted",
        transactionHash: entry.hash,
        ...(kind === "DEPLOY_ACCOUNT" ? { contractAddress: sender } : {}),
        ...(classHash === undefined ? {} : { classHash }),
      },
    };
  }

  /** Refusal of a transaction that this node already has, included or rejected as fatal. */
  #knownRefusal(entry: MempoolEntry, accountNonce: Felt): Refusal | undefined {
    const { pool, mempool } = this.#deps;
    const { hash } = entry;
    if (pool.find(hash) !== undefined) return mempoolRefusal({ kind: "duplicate" }, 0n);
    const included = isNonceUnused(entry, accountNonce) ? undefined : this.#includedRefusal(hash);
    if (included !== undefined) return included;
    const rejection = mempool.rejectionOf(hash);
    // Any other cause may no longer apply.
    return rejection?.cause === "fatal"
      ? { kind: "rejected", code: "UNEXPECTED_ERROR", reason: rejection.reason }
      : undefined;
  }

  #includedRefusal(hash: Felt): Refusal | undefined {
    const pending = this.#deps
      .overlay()
      .blocks()
      .find((block) => block.find(hash) !== undefined);
    if (pending !== undefined) return includedRefusal(pending.info.number, false);
    const location = this.#deps.chain.locate(hash);
    return location && includedRefusal(location.blockNumber, true);
  }
}

/**
 * Whether the unused nonce proves that the transaction is in no block. Every executed invoke uses its nonce,
 * reverted or not; version 0 has no nonce but is not accepted. Bootstrap declarations use no nonce, and other
 * types are rare: they are looked up.
 */
function isNonceUnused({ kind, nonce }: MempoolEntry, accountNonce: Felt): boolean {
  return kind === "INVOKE" && nonce >= accountNonce;
}

/** Decision on a transaction before validation: refused, or acceptable at this account nonce. */
type Judged =
  | Extract<Admitted, { readonly kind: "refused" }>
  | { readonly kind: "free"; readonly accountNonce: Felt };

function refused(refusal: Refusal): Extract<Admitted, { readonly kind: "refused" }> {
  return { kind: "refused", refusal };
}
