import {
  type AccountTransaction,
  type HashedTransaction,
  senderAddressOf,
} from "#protocol/chain/index.ts";
import type { PrevalidatedCall, ValidationOutcome } from "#engine/execution/index.ts";
import type { Mempool, MempoolEntry } from "./mempool/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { SubmitOutcome } from "./mempool/index.ts";
import type { ChainReader, PendingOverlay } from "#engine/state/index.ts";
import type { MempoolRejection } from "#io/storage/index.ts";
import {
  includedRefusal,
  mempoolRefusal,
  type Refusal,
  refusalOf,
  type StatelessLimits,
  statelessRefusal,
} from "./admission-rules.ts";
import { mempoolEntryOf } from "./mempool-entry.ts";
import { type Departure, droppedRejections } from "./rejection-reasons.ts";
import { hashReceived, type Received } from "./submission/received.ts";

/** What became of a submission. */
export interface Admitted {
  /** `undefined` while it is not decided: the validation takes longer than this thread may wait. */
  readonly outcome: SubmitOutcome | undefined;
  /** The transaction, with its hash unless it was refused before that was computed. */
  readonly received: Received;
  /** It is in the mempool now and must be durable before it is answered; else `undefined`. */
  readonly entry: MempoolEntry | undefined;
  /** What left the mempool because of it. */
  readonly rejections: readonly Departure[];
  /** What the executor need not compute again. */
  readonly prevalidated: PrevalidatedCall | undefined;
}

/** What the admitter works with. */
export interface AdmitterParts {
  readonly chainId: Felt;
  readonly limits: StatelessLimits;
  readonly pool: Mempool;
  readonly chain: Pick<ChainReader, "locate">;
  /** What is above the chain now. */
  readonly overlay: () => PendingOverlay;
  readonly rejectionOf: (hash: Felt) => MempoolRejection | undefined;
  /** Runs the account's validation on the pending state. */
  readonly validate: (
    hashed: HashedTransaction<AccountTransaction>,
    overlay: PendingOverlay,
    senderIsToBeDeployed: boolean,
  ) => ValidationOutcome;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
}

/** Decides on submissions: cheap rules first, then the account's own validation, then the mempool. */
export class Admitter {
  readonly #parts: AdmitterParts;

  constructor(parts: AdmitterParts) {
    this.#parts = parts;
  }

  /**
   * Checks a transaction and puts it into the mempool if nothing is against it.
   *
   * @param isValidated - the account has accepted it already
   */
  admit(received: Received, isValidated = false): Admitted {
    const { chainId, limits } = this.#parts;
    const refused = statelessRefusal(received.transaction, limits);
    if (refused !== undefined) return notTaken(received, refused);
    return this.#admitHashed(hashReceived(received, chainId), isValidated);
  }

  #admitHashed(received: Received, isValidated: boolean): Admitted {
    const { pool, overlay: current, validate, nowMs } = this.#parts;
    const { hash, transaction } = received;
    const overlay = current();
    const known = this.#knownRefusal(hash, overlay);
    if (known !== undefined) return notTaken(received, known);
    const sender = senderAddressOf(transaction);
    const accountNonce = overlay.state().nonceAt(sender);
    const entry = mempoolEntryOf(received, nowMs());
    // Refusals of the mempool are cheap; validation is not.
    const refusal = pool.check(entry, accountNonce);
    if (refusal !== undefined) return notTaken(received, mempoolRefusal(refusal, entry.nonce));
    const validation = isValidated
      ? VALIDATED
      : validate(received, overlay, pool.hasDeployOf(sender));
    if (validation.kind === "rejected") return notTaken(received, refusalOf(validation.error));
    if (validation.kind === "cancelled") return notTaken(received, undefined);
    const outcome = pool.add(entry, accountNonce);
    if (outcome.kind !== "added") return notTaken(received, mempoolRefusal(outcome, entry.nonce));
    return {
      entry,
      received,
      rejections: droppedRejections(outcome.dropped, entry, nowMs()),
      prevalidated: validation.prevalidated,
      outcome: {
        kind: "accepted",
        transactionHash: hash,
        ...(transaction.type === "DEPLOY_ACCOUNT" ? { contractAddress: sender } : {}),
      },
    };
  }

  /** What is against a transaction that was here before. */
  #knownRefusal(hash: Felt, overlay: PendingOverlay): Refusal | undefined {
    const { pool, chain, rejectionOf } = this.#parts;
    if (pool.find(hash) !== undefined) return mempoolRefusal({ kind: "duplicate" }, 0n);
    const pending = overlay.blocks().find((block) => block.find(hash) !== undefined);
    if (pending !== undefined) return includedRefusal(pending.info.number, false);
    const location = chain.locate(hash);
    if (location !== undefined) return includedRefusal(location.blockNumber, true);
    const rejection = rejectionOf(hash);
    // Any other reason may be gone by now.
    return rejection?.cause === "fatal"
      ? { kind: "rejected", code: "UNEXPECTED_ERROR", reason: rejection.reason }
      : undefined;
  }
}

const VALIDATED = { kind: "valid", prevalidated: undefined } as const;

function notTaken(received: Received, outcome: Refusal | undefined): Admitted {
  return { outcome, received, entry: undefined, rejections: [], prevalidated: undefined };
}
