import {
  type AccountTransaction,
  type ClassContents,
  type HashedTransaction,
  senderAddressOf,
} from "#protocol/chain/index.ts";
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
import type { FreeStanding } from "./free-standing.ts";
import { freedomOf, mempoolEntryOf } from "./mempool-entry.ts";
import { mayPrecedeDeployment } from "./preceding-deployment.ts";
import { type Departure, droppedRejections } from "./rejection-reasons.ts";
import { decodeReceived, hashReceived, type Received } from "./submission/received.ts";
import type { CheckedSubmission } from "./checked-submission.ts";
import { type Verdict, verdictOf } from "./validation-verdict.ts";

/** What became of a submission. */
export type Admitted =
  | { readonly kind: "refused"; readonly refusal: Refusal }
  /** The validation takes longer than this thread may wait. */
  | {
      readonly kind: "undecided";
      /** The transaction with its hash. */
      readonly bytes: Uint8Array;
      readonly senderIsToBeDeployed: boolean;
      /** The account that it deploys; `null` for other transactions. */
      readonly deploys: Felt | null;
    }
  /**
   * The sender is not deployed, and no transaction that deploys it is here; if one comes, this one may be
   * taken without being validated. Nothing else is against it.
   */
  | { readonly kind: "early"; readonly sender: Felt; readonly bytes: Uint8Array }
  | {
      readonly kind: "taken";
      /** The answer, once {@link entry} is durable. */
      readonly outcome: SubmitOutcome;
      /** It is in the mempool now. */
      readonly entry: MempoolEntry;
      /** What left the mempool because of it. */
      readonly rejections: readonly Departure[];
      /** What the executor need not compute again, encoded. */
      readonly prevalidated: Uint8Array | undefined;
    };

/** What comes along with a submission. */
export interface SubmissionMetadata {
  /** The account has accepted its transaction on another thread. */
  readonly validation?:
    | {
        /** What the executor need not compute again, encoded. */
        readonly prevalidated: Uint8Array | null;
      }
    | undefined;
  /** The class that a declaration brings. */
  readonly declared?: ClassContents | undefined;
  /** It was early, and has waited for its sender's deployment: it is taken or refused now. */
  readonly hasWaited?: boolean | undefined;
}

interface EntryMetadata extends SubmissionMetadata {
  /** The class that it declares. */
  readonly classHash?: Felt | undefined;
}

/** What the admitter works with. */
export interface AdmitterDeps {
  readonly chainId: Felt;
  readonly limits: StatelessLimits;
  /** Highest nonce with which an invoke may go before its sender's deployment, unvalidated. */
  readonly maxNonceForValidationSkip: number;
  readonly pool: Mempool;
  readonly free: Pick<FreeStanding, "refusalOf">;
  readonly chain: Pick<ChainReader, "locate">;
  /** What is above the chain now. */
  readonly overlay: () => PendingOverlay;
  readonly mempool: Pick<MempoolService, "rejectionOf" | "pausedRefusal" | "validated">;
  /** Whether an account's transactions are taken with any signature. */
  readonly impersonates: (address: Felt) => boolean;
  /** Runs the account's validation on the pending state. */
  readonly validate: (
    hashed: HashedTransaction<AccountTransaction>,
    overlay: PendingOverlay,
    senderIsToBeDeployed: boolean,
    isImpersonated: boolean,
  ) => ValidationOutcome;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
}

/** Decides on submissions: cheap rules first, then the account's own validation, then the mempool. */
export class Admitter {
  readonly #deps: AdmitterDeps;

  constructor(deps: AdmitterDeps) {
    this.#deps = deps;
  }

  /**
   * Checks a transaction and puts it into the mempool if nothing is against it.
   *
   * @param bytes - the transaction, encoded; its hash is computed here unless it is there
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
    const validate = (...sender: [boolean, boolean]) => this.#validate(received, ...sender);
    return this.#admitEntry(entry, { ...metadata, classHash }, validate);
  }

  /** Puts a transaction into the mempool that a validator has checked, if nothing is against it. */
  admitChecked(checked: CheckedSubmission): Admitted {
    if (checked.kind === "refused") return checked;
    const { entry, senderIsToBeDeployed: assumed, verdict } = checked;
    const unpaid = this.#deps.free.refusalOf(entry);
    if (unpaid !== undefined) return refused(unpaid);
    return this.#admitEntry(entry, {}, (senderIsToBeDeployed, isImpersonated) => {
      // The sender was deployed meanwhile: the validation that was left out is due.
      const isUsable = verdict !== null && senderIsToBeDeployed === assumed;
      if (isUsable) return verdict;
      return this.#validate(decodeReceived(entry.bytes), senderIsToBeDeployed, isImpersonated);
    });
  }

  /**
   * What is against a transaction before it is validated; changes nothing.
   *
   * @param bytes - the transaction with its hash, encoded
   * @param classSizeBytes - of the class that it declares
   * @throws {DecodeError} when the bytes are not a transaction
   */
  refusalOf(bytes: Uint8Array, classSizeBytes: number): Refusal | undefined {
    const received = decodeReceived(bytes);
    const cheap = this.#cheapRefusal(received.transaction);
    if (cheap !== undefined) return cheap;
    const judged = this.#judge(this.#entryOf(received, classSizeBytes));
    return judged.kind === "refused" ? judged.refusal : undefined;
  }

  /** What is against a transaction that needs no hash to be known. */
  #cheapRefusal(transaction: AccountTransaction): Refusal | undefined {
    const { limits, free } = this.#deps;
    return statelessRefusal(transaction, limits) ?? free.refusalOf(freedomOf(transaction));
  }

  #entryOf(received: Received, classSizeBytes: number): MempoolEntry {
    const { impersonates, nowMs } = this.#deps;
    const isImpersonated = impersonates(senderAddressOf(received.transaction));
    return mempoolEntryOf(received, nowMs(), classSizeBytes, isImpersonated);
  }

  #validate(received: Received, senderIsToBeDeployed: boolean, isImpersonated: boolean): Verdict {
    const { validate, overlay } = this.#deps;
    return verdictOf(validate(received, overlay(), senderIsToBeDeployed, isImpersonated));
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

  /** @param validate - runs the account's validation, or knows how that has ended */
  #admitEntry(
    entry: MempoolEntry,
    { validation: earlier, hasWaited = false, classHash }: EntryMetadata,
    validate: (senderIsToBeDeployed: boolean, isImpersonated: boolean) => Verdict,
  ): Admitted {
    const { pool, mempool, overlay, maxNonceForValidationSkip: maxNonce, nowMs } = this.#deps;
    const { sender, bytes, kind, isImpersonated = false } = entry;
    const judged = this.#judge(entry);
    if (judged.kind === "refused") return judged;
    const mayPrecede =
      earlier === undefined && mayPrecedeDeployment(entry, maxNonce, overlay().state());
    const isEarly = mayPrecede && !hasWaited && !pool.hasDeployOf(sender);
    const senderIsToBeDeployed = isEarly || (mayPrecede && pool.hasDeployOf(sender));
    const verdict: Verdict =
      earlier === undefined
        ? validate(senderIsToBeDeployed, isImpersonated)
        : { kind: "valid", skipped: false, ...earlier };
    if (verdict.kind === "refused") return verdict;
    if (isEarly) return { kind: "early", sender, bytes };
    if (verdict.kind === "undecided") {
      const deploys = kind === "DEPLOY_ACCOUNT" ? sender : null;
      return { kind: "undecided", bytes, senderIsToBeDeployed, deploys };
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

  /** What is against a transaction that was here before. */
  #knownRefusal(entry: MempoolEntry, accountNonce: Felt): Refusal | undefined {
    const { pool, mempool } = this.#deps;
    const { hash } = entry;
    if (pool.find(hash) !== undefined) return mempoolRefusal({ kind: "duplicate" }, 0n);
    const included = isNonceUnused(entry, accountNonce) ? undefined : this.#includedRefusal(hash);
    if (included !== undefined) return included;
    const rejection = mempool.rejectionOf(hash);
    // Any other reason may be gone by now.
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
 * Whether a transaction is in no block because its account has not used its nonce: every invoke that is
 * executed uses it, reverted or not; those of version 0, which have none, are not taken. Declarations by
 * nobody use none either, and others are rare: they are looked for.
 */
function isNonceUnused({ kind, nonce }: MempoolEntry, accountNonce: Felt): boolean {
  return kind === "INVOKE" && nonce >= accountNonce;
}

/** A transaction that the mempool would take, or not. */
type Judged =
  | Extract<Admitted, { readonly kind: "refused" }>
  | { readonly kind: "free"; readonly accountNonce: Felt };

function refused(refusal: Refusal): Extract<Admitted, { readonly kind: "refused" }> {
  return { kind: "refused", refusal };
}
