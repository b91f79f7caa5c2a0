import type { RejectionCode } from "#engine/execution/index.ts";
import type { SenderPause } from "#io/storage/index.ts";
import type { Refusal } from "./admission-rules.ts";
import type { MempoolEntry } from "./mempool/index.ts";
import { Pauses } from "./pauses.ts";

/** How long an account waits after the first drop. */
export const FIRST_SENDER_PAUSE_MS = 2_000;

/** How long a transaction is not taken again after its first drop. */
export const FIRST_TRANSACTION_PAUSE_MS = 30_000;

/** Whether the executor had executed something when it dropped a transaction for a reason. */
const IS_AFTER_EXECUTION: Readonly<Record<RejectionCode, boolean>> = {
  INVALID_VERSION: false,
  INVALID_NONCE: false,
  INSUFFICIENT_BOUNDS: false,
  INSUFFICIENT_BALANCE: false,
  NOT_AN_ACCOUNT: false,
  CLASS_NOT_FOUND: false,
  CLASS_ALREADY_DECLARED: false,
  COMPILED_CLASS_HASH_MISMATCH: false,
  VALIDATION_FAILED: true,
  CONSTRUCTOR_FAILED: true,
  FEE_CHECK_FAILED: true,
  FEE_TRANSFER_FAILED: true,
  TOO_LARGE: true,
  OUT_OF_MEMORY: true,
  UNSUPPORTED: true,
};

/**
 * Who waits because transactions were dropped after they had been executed, which costs the node and
 * pays nothing. Such an account's next transaction is taken after a pause, which doubles each time.
 *
 * Only what the account itself has accepted here counts: others may send in its name, too. The same
 * transaction counts once for the account, since anybody can send it again; it has pauses of its own.
 * After a restart those of accounts go on.
 */
export class DroppedSenders {
  readonly #nowMs: () => number;
  readonly #senders = new Pauses(FIRST_SENDER_PAUSE_MS);
  readonly #transactions = new Pauses(FIRST_TRANSACTION_PAUSE_MS);
  readonly #validated = new WeakSet<MempoolEntry>();

  /**
   * @param stored - the pauses of before a restart, the one that began longest ago first
   * @param nowMs - Unix milliseconds
   */
  constructor(stored: readonly SenderPause[], nowMs: () => number) {
    this.#nowMs = nowMs;
    for (const { sender, ...pause } of stored) this.#senders.set(sender, pause);
  }

  /** The account's own code has accepted a transaction that is in the mempool now. */
  validated(entry: MempoolEntry): void {
    this.#validated.add(entry);
  }

  /**
   * The executor has dropped a transaction.
   *
   * @returns the account's pause where it has changed, and a sentence about who waits for how long;
   *   `undefined` when nobody does
   */
  dropped(
    entry: MempoolEntry,
    code: RejectionCode,
  ): { readonly pause: SenderPause | undefined; readonly note: string } | undefined {
    if (!IS_AFTER_EXECUTION[code] || !this.#validated.has(entry)) return undefined;
    const { hash, sender } = entry;
    const nowMs = this.#nowMs();
    const isKnown = this.#transactions.has(hash);
    const again = this.#transactions.begin(hash, nowMs);
    const againSeconds = seconds(again.endsAtMs - nowMs);
    const same = `the same transaction is taken again in ${againSeconds} s`;
    if (isKnown) return { pause: undefined, note: same };
    const pause = { sender, ...this.#senders.begin(sender, nowMs) };
    const leftSeconds = seconds(pause.endsAtMs - nowMs);
    const note = `${dropsText(pause.drops)}: another one is taken in ${leftSeconds} s, ${same}`;
    return { pause, note };
  }

  /** Why a transaction is not taken now; `undefined` when it may be. */
  refusalOf({ hash, sender }: Pick<MempoolEntry, "hash" | "sender">): Refusal | undefined {
    const nowMs = this.#nowMs();
    const senderMs = this.#senders.leftMs(sender, nowMs);
    const transactionMs = this.#transactions.leftMs(hash, nowMs);
    if (senderMs === 0 && transactionMs === 0) return undefined;
    const retryAfterSeconds = seconds(Math.max(senderMs, transactionMs));
    const who =
      transactionMs > senderMs
        ? "the transaction was dropped after its execution"
        : "transactions of the account were dropped after their execution";
    return {
      kind: "rejected",
      code: "UNEXPECTED_ERROR",
      reason: `${who}: try again in ${retryAfterSeconds} s`,
      retryAfterSeconds,
    };
  }
}

function dropsText(drops: number): string {
  return drops === 1
    ? "a transaction of the account was dropped after its execution"
    : `${drops} transactions of the account were dropped after their execution`;
}

function seconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}
