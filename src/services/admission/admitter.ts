import {
  type AccountTransaction,
  type ClassContents,
  type HashedTransaction,
  senderAddressOf,
} from "#protocol/chain/index.ts";
import { encodePrevalidated, type ValidationOutcome } from "#engine/execution/index.ts";
import type { Mempool, MempoolEntry } from "./mempool/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { SubmitOutcome } from "./mempool/index.ts";
import type { ChainReader, PendingOverlay } from "#engine/state/index.ts";
import type { MempoolService } from "./mempool-service.ts";
import {
  includedRefusal,
  mempoolRefusal,
  type Refusal,
  refusalOf,
  type StatelessLimits,
  statelessRefusal,
} from "./admission-rules.ts";
import type { FreeStanding } from "./free-standing.ts";
import { mempoolEntryOf } from "./mempool-entry.ts";
import { type Departure, droppedRejections } from "./rejection-reasons.ts";
import { decodeReceived, hashReceived, type Received } from "./submission/received.ts";

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
  | { readonly kind: "early"; readonly sender: Felt; readonly sizeBytes: number }
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
    const received = decodeReceived(bytes);
    const cheap = this.#cheapRefusal(received.transaction);
    if (cheap !== undefined) return refused(cheap);
    return this.#admitHashed(hashReceived(received, this.#deps.chainId), metadata);
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
    const judged = this.#judge(received, this.#deps.overlay(), classSizeBytes);
    return judged.kind === "refused" ? judged.refusal : undefined;
  }

  /** What is against a transaction that needs no hash to be known. */
  #cheapRefusal(transaction: AccountTransaction): Refusal | undefined {
    const { limits, free } = this.#deps;
    return statelessRefusal(transaction, limits) ?? free.refusalOf(transaction);
  }

  #judge(received: Received, overlay: PendingOverlay, classSizeBytes: number): Judged {
    const { pool, impersonates, nowMs } = this.#deps;
    const sender = senderAddressOf(received.transaction);
    const accountNonce = overlay.state().nonceAt(sender);
    const known = this.#knownRefusal(received, accountNonce, overlay);
    if (known !== undefined) return refused(known);
    const isImpersonated = impersonates(sender);
    const entry = mempoolEntryOf(received, nowMs(), classSizeBytes, isImpersonated);
    const paused = this.#deps.mempool.pausedRefusal(entry);
    if (paused !== undefined) return refused(paused);
    // Refusals of the mempool are cheap; validation is not.
    const refusal = pool.check(entry, accountNonce);
    if (refusal !== undefined) return refused(mempoolRefusal(refusal, entry.nonce));
    return { kind: "free", entry, accountNonce };
  }

  /** Whether an invoke may be taken before the deployment of its sender, which is not there yet. */
  #mayPrecedeDeployment({ transaction }: Received, sender: Felt, overlay: PendingOverlay): boolean {
    if (transaction.type !== "INVOKE" || transaction.version === 0) return false;
    const { nonce } = transaction;
    if (nonce < 1n || nonce > BigInt(this.#deps.maxNonceForValidationSkip)) return false;
    const state = overlay.state();
    return state.nonceAt(sender) === 0n && state.classHashAt(sender) === 0n;
  }

  #admitHashed(received: Received, metadata: SubmissionMetadata): Admitted {
    const { validation: earlier, declared, hasWaited = false } = metadata;
    const { pool, mempool, overlay: current, validate, nowMs } = this.#deps;
    const { hash, transaction } = received;
    if (transaction.type === "DECLARE" && declared === undefined) return refused(WITHOUT_CLASS);
    const overlay = current();
    const judged = this.#judge(received, overlay, declared?.contractClass.byteLength ?? 0);
    if (judged.kind === "refused") return judged;
    const { entry, accountNonce } = judged;
    const { sender, isImpersonated = false } = entry;
    const mayPrecede =
      earlier === undefined && this.#mayPrecedeDeployment(received, sender, overlay);
    const isEarly = mayPrecede && !hasWaited && !pool.hasDeployOf(sender);
    const senderIsToBeDeployed = isEarly || (mayPrecede && pool.hasDeployOf(sender));
    const validation =
      earlier === undefined
        ? validate(received, overlay, senderIsToBeDeployed, isImpersonated)
        : VALIDATED;
    if (validation.kind === "rejected") return refused(refusalOf(validation.error));
    if (isEarly) return { kind: "early", sender, sizeBytes: received.bytes.length };
    if (validation.kind === "cancelled") {
      const deploys = transaction.type === "DEPLOY_ACCOUNT" ? sender : null;
      return { kind: "undecided", bytes: received.bytes, senderIsToBeDeployed, deploys };
    }
    const outcome = pool.add(entry, accountNonce);
    if (outcome.kind !== "added") return refused(mempoolRefusal(outcome, entry.nonce));
    if (!validation.skipped) mempool.validated(entry);
    const { prevalidated } = validation;
    return {
      kind: "taken",
      entry,
      rejections: droppedRejections(outcome.dropped, entry, nowMs()),
      prevalidated:
        earlier?.prevalidated ??
        (prevalidated === undefined ? undefined : encodePrevalidated(prevalidated)),
      outcome: {
        kind: "accepted",
        transactionHash: hash,
        ...(transaction.type === "DEPLOY_ACCOUNT" ? { contractAddress: sender } : {}),
        ...(transaction.type === "DECLARE" ? { classHash: transaction.classHash } : {}),
      },
    };
  }

  /** What is against a transaction that was here before. */
  #knownRefusal(
    { hash, transaction }: Received,
    accountNonce: Felt,
    overlay: PendingOverlay,
  ): Refusal | undefined {
    const { pool, mempool } = this.#deps;
    if (pool.find(hash) !== undefined) return mempoolRefusal({ kind: "duplicate" }, 0n);
    const included = isNonceUnused(transaction, accountNonce)
      ? undefined
      : this.#includedRefusal(hash, overlay);
    if (included !== undefined) return included;
    const rejection = mempool.rejectionOf(hash);
    // Any other reason may be gone by now.
    return rejection?.cause === "fatal"
      ? { kind: "rejected", code: "UNEXPECTED_ERROR", reason: rejection.reason }
      : undefined;
  }

  #includedRefusal(hash: Felt, overlay: PendingOverlay): Refusal | undefined {
    const pending = overlay.blocks().find((block) => block.find(hash) !== undefined);
    if (pending !== undefined) return includedRefusal(pending.info.number, false);
    const location = this.#deps.chain.locate(hash);
    return location && includedRefusal(location.blockNumber, true);
  }
}

/**
 * Whether a transaction is in no block because its account has not used its nonce: every invoke that is
 * executed uses it, reverted or not. Declarations by nobody do not, and others are rare: they are looked
 * for.
 */
function isNonceUnused(transaction: AccountTransaction, accountNonce: Felt): boolean {
  if (transaction.type !== "INVOKE" || transaction.version === 0) return false;
  return transaction.nonce >= accountNonce;
}

/** A transaction that the mempool would take, or not. */
type Judged =
  | Extract<Admitted, { readonly kind: "refused" }>
  | { readonly kind: "free"; readonly entry: MempoolEntry; readonly accountNonce: Felt };

const WITHOUT_CLASS = {
  kind: "rejected",
  code: "UNEXPECTED_ERROR",
  reason: "a declaration must bring its class",
} as const;

const VALIDATED = { kind: "valid", skipped: false, prevalidated: undefined } as const;

function refused(refusal: Refusal): Extract<Admitted, { readonly kind: "refused" }> {
  return { kind: "refused", refusal };
}
