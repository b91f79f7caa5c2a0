import type { Mempool, MempoolEntry, Ranking } from "./mempool/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { ChainReader, StateReader } from "#engine/state/index.ts";
import type {
  ExecutionRecord,
  MempoolRejection,
  MempoolStore,
  RejectionCause,
  SenderPause,
  StoredMempoolEntry,
} from "#io/storage/index.ts";
import type { Refusal } from "./admission-rules.ts";
import { BlockContents } from "./block-contents.ts";
import { DroppedSenders } from "./dropped-senders.ts";
import type { ExecutorToAdmission } from "./messages.ts";
import { PAUSE_MEMORY_MS } from "./pauses.ts";
import { mempoolEntryOf } from "./mempool-entry.ts";
import { ReloadNonces } from "./reload-nonces.ts";
import {
  type Departure,
  departureOf,
  EXPIRED_REASON,
  fatalReason,
  mustGoAlone,
  nonceUsedReason,
  replacedReason,
} from "./rejection-reasons.ts";
import { decodeReceived } from "./submission/received.ts";

/** Result of a batch; see {@link ExecutorToAdmission}. */
export type Settlement = Extract<ExecutorToAdmission, { kind: "settled" }>;

/** Dependencies of {@link MempoolService}. */
export interface MempoolServiceDeps {
  readonly pool: Mempool;
  readonly store: Pick<
    MempoolStore,
    "loadAll" | "write" | "rejectionOf" | "forgetRejections" | "pauses" | "forgetPauses"
  >;
  readonly chain: Pick<ChainReader, "locate">;
  /** Retention of rejections; milliseconds. */
  readonly rejectionTtlMs: number;
  /** Notified of each transaction included in a block. */
  readonly onIncluded: (entry: MempoolEntry) => void;
  /** Notified of every transaction that will not be included. */
  readonly onRejected: (departures: readonly Departure[]) => void;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
}

/** Maximum rejections kept, regardless of age. */
const MAX_REJECTIONS = 100_000;

/** Interval between deletions of old rejections. */
const FORGET_INTERVAL_MS = 60_000;

/**
 * Moves received transactions from the durable store into the mempool, and out of both when their fate is
 * known: restores them after a restart, and handles the outcomes reported by the executor, the committer and
 * the clock. Nothing leaves the store without being in a block or having a stored reason.
 */
export class MempoolService {
  readonly #deps: MempoolServiceDeps;
  readonly #contents = new BlockContents();
  readonly #senders: DroppedSenders;
  /** Crash counts of transactions that may have crashed the process, until they are executed. */
  readonly #quarantine = new Map<Felt, number>();
  #forgottenAtMs = Number.NEGATIVE_INFINITY;

  constructor(deps: MempoolServiceDeps) {
    this.#deps = deps;
    const stored = deps.store.pauses(deps.nowMs() - PAUSE_MEMORY_MS);
    this.#senders = new DroppedSenders(stored, deps.nowMs);
  }

  /**
   * Restores everything that was received before the last stop and is not in a block, regardless of the
   * current limits. Settles the records; the caller must sync the store.
   *
   * If the process died of joint work on several transactions, all continue one by one, to find the one at
   * fault.
   *
   * @param state - the state on which execution continues
   * @param executed - what was being executed at the last stop
   * @param committed - contents of the block that was being committed
   * @returns what could not be restored
   */
  reload(
    state: StateReader,
    executed: ExecutionRecord | undefined,
    committed: ExecutionRecord | undefined,
  ): readonly MempoolRejection[] {
    const { pool, store, chain } = this.#deps;
    const isCareful = mustGoAlone(executed) || mustGoAlone(committed);
    const nonces = new ReloadNonces(state, () => store.loadAll().map(storedEntry));
    const remove: Felt[] = [];
    const reject: Departure[] = [];
    const quarantine: { readonly hash: Felt; readonly crashes: number }[] = [];
    for (const stored of store.loadAll()) {
      const { hash, crashes: earlier } = stored;
      if (chain.locate(hash) !== undefined) {
        remove.push(hash);
        continue;
      }
      const entry = storedEntry(stored);
      const fatal = fatalReasonOf(hash, executed, committed);
      if (fatal !== undefined) {
        reject.push(this.#departure(entry, "fatal", fatal));
        continue;
      }
      const crashes = Math.max(
        executed?.hash === hash ? executed.attempt : earlier,
        committed?.hash === hash ? committed.attempt : earlier,
        isCareful ? 1 : 0,
      );
      if (crashes !== earlier) quarantine.push({ hash, crashes });
      const isQuarantined = crashes > 0;
      if (isQuarantined) this.#quarantine.set(hash, crashes);
      const nonce = nonces.of(entry.sender);
      const outcome = pool.restore(entry, nonce, isQuarantined);
      if (outcome.kind === "nonce_used") {
        reject.push(this.#departure(entry, "nonce_used", nonceUsedReason(entry.nonce)));
      } else if (outcome.replaced !== undefined) {
        const { replaced } = outcome;
        reject.push(this.#departure(replaced, "replaced", replacedReason(replaced, entry)));
      }
    }
    store.write({ remove, reject, quarantine });
    this.#report(reject);
    return reject;
  }

  /**
   * Settles the transaction that was being validated at the last stop. It is refused from now on if a part of
   * the node died of it. After a crash without a trace it may be sent again, since its receipt was never
   * confirmed.
   */
  noteValidation(record: ExecutionRecord | undefined): void {
    const reason = record && fatalReason(record, "validated");
    if (record === undefined || reason === undefined) return;
    const { store, nowMs } = this.#deps;
    const { hash } = record;
    store.write({ reject: [{ hash, cause: "fatal", reason, rejectedAtMs: nowMs() }] });
  }

  /**
   * Hands out transactions of the first rank; a quarantined one comes alone, with an attempt number above 1.
   */
  take(
    max: number,
    rankOf: Ranking,
  ): { readonly entries: readonly MempoolEntry[]; readonly attempt: number } {
    const entries = this.#deps.pool.take(max, rankOf);
    const [first] = entries;
    const crashes = first === undefined ? 0 : (this.#quarantine.get(first.hash) ?? 0);
    return { entries, attempt: crashes + 1 };
  }

  /** Records that an account's own code has validated a transaction now in the mempool. */
  validated(entry: MempoolEntry): void {
    this.#senders.validated(entry);
  }

  /** Refusal of a transaction that is paused, or whose account is. */
  pausedRefusal(entry: MempoolEntry): Refusal | undefined {
    return this.#senders.refusalOf(entry);
  }

  /** Applies the executor's result of a batch. */
  settle({ delta, included, rejected, requeued }: Settlement): void {
    const { pool, store, onIncluded, nowMs } = this.#deps;
    if (delta !== null) {
      for (const hash of included) {
        const entry = pool.settleIncluded(hash);
        if (entry !== undefined) onIncluded(entry);
        this.#contents.add(delta.blockNumber, hash);
      }
    }
    const pauses: SenderPause[] = [];
    const reject = rejected.map(({ hash, code, reason }) => {
      const entry = pool.settleRejected(hash);
      const { pause, note } = (entry && this.#senders.dropped(entry, code)) ?? {};
      if (pause !== undefined) pauses.push(pause);
      const text = note === undefined ? reason : `${reason} (${note})`;
      return departureOf({ hash, sender: entry?.sender ?? 0n }, "rejected", text, nowMs(), code);
    });
    pool.requeue(requeued);
    const executed = [...included, ...rejected.map(({ hash }) => hash)];
    const cleared =
      this.#quarantine.size === 0 ? [] : executed.filter((h) => this.#quarantine.delete(h));
    store.write({ reject, quarantine: cleared.map((hash) => ({ hash, crashes: 0 })), pauses });
    this.#report(reject);
  }

  /** Deletes the stored transactions of a block that is now durable. */
  accepted(blockNumber: number): void {
    this.#deps.store.write({ remove: this.#contents.takeUpTo(blockNumber) });
  }

  /** Drops expired transactions, and deletes old rejections. @returns the rejections of the expired ones */
  expire(): readonly MempoolRejection[] {
    const { pool, store, nowMs, rejectionTtlMs } = this.#deps;
    const reject = pool
      .expire(nowMs())
      .map((entry) => this.#departure(entry, "expired", EXPIRED_REASON));
    store.write({ reject });
    this.#report(reject);
    if (nowMs() - this.#forgottenAtMs >= FORGET_INTERVAL_MS) {
      this.#forgottenAtMs = nowMs();
      store.forgetRejections(nowMs() - rejectionTtlMs, MAX_REJECTIONS);
      store.forgetPauses(nowMs() - PAUSE_MEMORY_MS);
    }
    return reject;
  }

  /** Why a received transaction will not be included; `undefined` when unknown. */
  rejectionOf(hash: Felt): MempoolRejection | undefined {
    return this.#deps.store.rejectionOf(hash);
  }

  #departure(entry: MempoolEntry, cause: RejectionCause, reason: string): Departure {
    return departureOf(entry, cause, reason, this.#deps.nowMs());
  }

  #report(departures: readonly Departure[]): void {
    if (departures.length > 0) this.#deps.onRejected(departures);
  }
}

function fatalReasonOf(
  hash: Felt,
  executed: ExecutionRecord | undefined,
  committed: ExecutionRecord | undefined,
): string | undefined {
  return (
    (executed?.hash === hash ? fatalReason(executed, "executed") : undefined) ??
    (committed?.hash === hash ? fatalReason(committed, "committed") : undefined)
  );
}

function storedEntry(stored: StoredMempoolEntry): MempoolEntry {
  const { bytes, receivedAtMs, classSizeBytes, isImpersonated } = stored;
  return mempoolEntryOf(decodeReceived(bytes), receivedAtMs, classSizeBytes, isImpersonated);
}
