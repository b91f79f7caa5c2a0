import type { Felt } from "#base/primitives/index.ts";
import type { MempoolStore } from "#io/storage/index.ts";
import { type MempoolSelection, selectionMatcher } from "./mempool-selection.ts";
import type { Mempool, MempoolEntry } from "./mempool/index.ts";
import { type Departure, departureOf, OPERATOR_REASON } from "./rejection-reasons.ts";

/** A waiting transaction, as listed for the operator. */
export interface ListedTransaction {
  readonly hash: Felt;
  readonly sender: Felt;
  readonly nonce: bigint;
  /** FRI per L2 gas. */
  readonly tip: bigint;
  readonly maxFee: bigint;
  /** Whether no earlier nonce of its account is missing. */
  readonly isReady: boolean;
  readonly kind: "INVOKE" | "DECLARE" | "DEPLOY_ACCOUNT";
  /** Unix milliseconds. */
  readonly receivedAtMs: number;
}

/** A page of the mempool. */
export interface MempoolListing {
  /** Waiting transactions, those with future nonces included. */
  readonly waiting: number;
  /** Transactions that wait because an earlier nonce of their account is missing. */
  readonly ahead: number;
  /** Transactions in flight at the executor. */
  readonly inFlight: number;
  /** In arrival order. */
  readonly transactions: readonly ListedTransaction[];
}

/** Empty {@link MempoolListing}, of a node without a mempool. */
export const NOTHING_LISTED: MempoolListing = {
  waiting: 0,
  ahead: 0,
  inFlight: 0,
  transactions: [],
};

/** Outcome of dropping a transaction. */
export type DropOutcome = "dropped" | "unknown" | "in_flight";

/** Outcome of dropping selected transactions. */
export interface FlushOutcome {
  readonly dropped: number;
  /** Selected transactions that the executor has; they stay. */
  readonly inFlight: number;
}

/** Transactions dropped per step, so that other work gets its turn in between. */
export const FLUSH_STEP = 1_000;

/** Dependencies of {@link OperatorHandler}. */
export interface OperatorHandlerDeps {
  readonly pool: Mempool;
  readonly store: Pick<MempoolStore, "write" | "sync">;
  /** Whether a transaction was received durably. */
  readonly isDurable: (hash: Felt) => boolean;
  /** Notified of dropped transactions. */
  readonly onDropped: (departures: readonly Departure[]) => void;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
}

/** Maximum age of the cached count: counting visits all transactions. */
const COUNT_AGE_MS = 100;

/** First nonce of an entry's account without a waiting transaction; computed once per account. */
function firstMissing(pool: Mempool): (entry: MempoolEntry) => bigint {
  const bySender = new Map<Felt, bigint>();
  return ({ sender }) => {
    const known = bySender.get(sender) ?? pool.nextNonce(sender, 0n);
    bySender.set(sender, known);
    return known;
  };
}

/** Lists and drops mempool transactions for the operator. */
export class OperatorHandler {
  readonly #deps: OperatorHandlerDeps;
  #ahead = { count: 0, atMs: -Infinity };

  constructor(deps: OperatorHandlerDeps) {
    this.#deps = deps;
  }

  /**
   * Lists waiting transactions.
   *
   * @param offset - number of selected transactions to skip
   * @param selection - transactions to list; default: all
   */
  list(offset: number, limit: number, selection: MempoolSelection = {}): MempoolListing {
    const { pool } = this.#deps;
    const isMeant = selectionMatcher(selection);
    const transactions: ListedTransaction[] = [];
    const missingOf = firstMissing(pool);
    let index = 0;
    for (const entry of pool.waiting()) {
      if (index >= offset + limit) break;
      if (!isMeant(entry) || index++ < offset) continue;
      const { hash, sender, nonce, tip, maxFee, kind, receivedAtMs } = entry;
      const isReady = entry.nonce <= missingOf(entry);
      transactions.push({ hash, sender, nonce, tip, maxFee, isReady, kind, receivedAtMs });
    }
    return {
      waiting: pool.size,
      ahead: Math.min(this.#countAhead(), pool.size),
      inFlight: pool.inFlightSize,
      transactions,
    };
  }

  /** Counts transactions with missing predecessors, at most once per {@link COUNT_AGE_MS}. */
  #countAhead(): number {
    const { pool, nowMs } = this.#deps;
    const now = nowMs();
    if (Math.abs(now - this.#ahead.atMs) < COUNT_AGE_MS) return this.#ahead.count;
    const missingOf = firstMissing(pool);
    let count = 0;
    for (const entry of pool.waiting()) if (entry.nonce > missingOf(entry)) count++;
    this.#ahead = { count, atMs: now };
    return count;
  }

  /**
   * Drops a waiting transaction; the account's later ones wait for another with its nonce. Settles once the
   * drop would survive power loss.
   *
   * @throws {StorageError} when it cannot be stored
   */
  async drop(hash: Felt): Promise<DropOutcome> {
    const { pool, store, isDurable, onDropped, nowMs } = this.#deps;
    if (pool.isInFlight(hash)) return "in_flight";
    const entry = isDurable(hash) ? pool.drop(hash) : undefined;
    if (entry === undefined) return "unknown";
    const departure = departureOf(entry, "evicted", OPERATOR_REASON, nowMs(), "DROPPED");
    store.write({ reject: [departure] });
    onDropped([departure]);
    await store.sync();
    return "dropped";
  }

  /**
   * Drops the selected transactions that wait now, as {@link drop} does; later arrivals stay. Settles once
   * the drops would survive power loss.
   *
   * @throws {StorageError} when they cannot be stored
   */
  async flush(selection: MempoolSelection): Promise<FlushOutcome> {
    const { pool, store, isDurable, onDropped, nowMs } = this.#deps;
    const isMeant = selectionMatcher(selection);
    const hashes = [...pool.waiting()].filter(isMeant).map(({ hash }) => hash);
    let inFlight = [...pool.inFlight()].filter(isMeant).length;
    let dropped = 0;
    for (let from = 0; from < hashes.length; from += FLUSH_STEP) {
      const departures: Departure[] = [];
      for (const hash of hashes.slice(from, from + FLUSH_STEP)) {
        // The executor may have taken it since the last step.
        if (pool.isInFlight(hash)) inFlight++;
        const entry = isDurable(hash) ? pool.drop(hash) : undefined;
        if (entry === undefined) continue;
        departures.push(departureOf(entry, "evicted", OPERATOR_REASON, nowMs(), "DROPPED"));
      }
      store.write({ reject: departures });
      onDropped(departures);
      dropped += departures.length;
      await store.sync();
    }
    return { dropped, inFlight };
  }
}
