import type { Felt } from "#base/primitives/index.ts";
import type { MempoolStore } from "#io/storage/index.ts";
import { type MempoolSelection, selectionMatcher } from "./mempool-selection.ts";
import type { Mempool, MempoolEntry } from "./mempool/index.ts";
import { type Departure, departureOf, OPERATOR_REASON } from "./rejection-reasons.ts";

/** A waiting transaction as the operator is shown it. */
export interface ListedTransaction {
  readonly hash: Felt;
  readonly sender: Felt;
  readonly nonce: bigint;
  /** FRI per L2 gas. */
  readonly tip: bigint;
  readonly maxFee: bigint;
  /** No nonce of its account is missing before it. */
  readonly isReady: boolean;
  readonly kind: "INVOKE" | "DECLARE" | "DEPLOY_ACCOUNT";
  /** Unix milliseconds. */
  readonly receivedAtMs: number;
}

/** A part of the mempool. */
export interface MempoolListing {
  /** Waiting transactions, those with future nonces included. */
  readonly waiting: number;
  /** Transactions that wait because an earlier nonce of their account is missing. */
  readonly ahead: number;
  /** Transactions that the executor has. */
  readonly inFlight: number;
  /** In the order of their arrival. */
  readonly transactions: readonly ListedTransaction[];
}

/** Counts of a node that keeps no transactions. */
export const NOTHING_LISTED: MempoolListing = {
  waiting: 0,
  ahead: 0,
  inFlight: 0,
  transactions: [],
};

/** What became of a transaction that was to be dropped. */
export type DropOutcome = "dropped" | "unknown" | "in_flight";

/** What became of transactions that were to be dropped. */
export interface FlushOutcome {
  readonly dropped: number;
  /** Those of them that the executor has: they stay. */
  readonly inFlight: number;
}

/** Transactions that are dropped in one go: others have their turn in between. */
export const FLUSH_STEP = 1_000;

/** What a handler works with. */
export interface OperatorHandlerDeps {
  readonly pool: Mempool;
  readonly store: Pick<MempoolStore, "write" | "sync">;
  /** Whether a transaction was received for good. */
  readonly isDurable: (hash: Felt) => boolean;
  /** Hears of what was dropped. */
  readonly onDropped: (departures: readonly Departure[]) => void;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
}

/** Maximum age of a count: making one visits all transactions. */
const COUNT_AGE_MS = 100;

/** First nonce of an entry's account that no waiting transaction has; computed once for each account. */
function firstMissing(pool: Mempool): (entry: MempoolEntry) => bigint {
  const bySender = new Map<Felt, bigint>();
  return ({ sender }) => {
    const known = bySender.get(sender) ?? pool.nextNonce(sender, 0n);
    bySender.set(sender, known);
    return known;
  };
}

/** Looks into the mempool, and drops from it, for whoever runs the node. */
export class OperatorHandler {
  readonly #deps: OperatorHandlerDeps;
  #ahead = { count: 0, atMs: -Infinity };

  constructor(deps: OperatorHandlerDeps) {
    this.#deps = deps;
  }

  /**
   * @param offset - waiting transactions that are passed over
   * @param selection - those that are meant at all; default: everything
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

  /** Counts all waiting transactions, at most once in the maximum age of a count. */
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
   * Drops a waiting transaction; what its account has behind it waits for another one with its nonce.
   *
   * @returns settles when it would stay so after power loss
   * @throws {StorageError} when that cannot be
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
   * Drops what waits now and is meant, as {@link drop} does; what comes in meanwhile stays.
   *
   * @returns settles when it would stay so after power loss
   * @throws {StorageError} when that cannot be
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
