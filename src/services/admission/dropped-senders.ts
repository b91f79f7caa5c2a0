import type { RejectionCode } from "#engine/execution/index.ts";
import type { SenderPause } from "#io/storage/index.ts";
import type { Refusal } from "./admission-rules.ts";
import type { MempoolEntry } from "./mempool/index.ts";
import { Pauses } from "./pauses.ts";

/**
 * Time during which admission refuses transactions of an account after the executor dropped one of them for
 * the first time. Each further drop doubles it.
 */
export const FIRST_SENDER_PAUSE_MS = 2_000;

/**
 * Time during which admission refuses a transaction that is sent again after the executor dropped it for the
 * first time. Each further drop doubles it.
 */
export const FIRST_TRANSACTION_PAUSE_MS = 30_000;

/** Whether the executor had already executed code when it dropped a transaction with this code. */
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
 * Pauses accounts whose transactions were dropped after execution, which costs the node time and pays no fee.
 * The account's next transaction is refused during the pause, whose length doubles each time.
 *
 * Only transactions that the account itself has validated here count: others may submit in its name. The same
 * transaction counts once against the account, since anyone can resend it; it has its own pauses. Pauses of
 * accounts survive a restart.
 */
export class DroppedSenders {
  readonly #nowMs: () => number;
  readonly #senders = new Pauses(FIRST_SENDER_PAUSE_MS);
  readonly #transactions = new Pauses(FIRST_TRANSACTION_PAUSE_MS);
  readonly #validated = new WeakSet<MempoolEntry>();

  /**
   * @param stored - pauses from before a restart, in ascending order of their end
   * @param nowMs - Unix milliseconds
   */
  constructor(stored: readonly SenderPause[], nowMs: () => number) {
    this.#nowMs = nowMs;
    for (const { sender, ...pause } of stored) this.#senders.set(sender, pause);
  }

  /** Records that the account's own code has validated a transaction now in the mempool. */
  validated(entry: MempoolEntry): void {
    this.#validated.add(entry);
  }

  /**
   * Records that the executor has dropped a transaction.
   *
   * @returns the account's pause if it changed, and a sentence on which retries are paused for how long;
   * `undefined` when nothing is paused
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
    const same = `the same transaction is accepted again in ${againSeconds} s`;
    if (isKnown) return { pause: undefined, note: same };
    const pause = { sender, ...this.#senders.begin(sender, nowMs) };
    const leftSeconds = seconds(pause.endsAtMs - nowMs);
    const note = `${dropsText(pause.drops)}: another one is accepted in ${leftSeconds} s, ${same}`;
    return { pause, note };
  }

  /** Refusal of a paused transaction or account; `undefined` when not paused. */
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
