import type { Felt, Outlet } from "#base/primitives/index.ts";
import type { ClassContents } from "#protocol/chain/index.ts";
import { encodeBatch } from "./batch-codec.ts";
import { type Precedence, ranking } from "./precedence.ts";
import type { MempoolService } from "./mempool-service.ts";
import type { MempoolEntry } from "./mempool/index.ts";
import type { AdmissionToExecutor } from "./messages.ts";
import type { DispatchedTransaction } from "./requests.ts";

/** Larger validation results are not kept: the mempool's limits do not count their bytes. */
export const MAX_VALIDATION_BYTES = 16_384;

/** Dependencies of {@link ExecutorHandler}. */
export interface ExecutorHandlerDeps {
  readonly executor: Outlet<AdmissionToExecutor>;
  readonly mempool: Pick<MempoolService, "take">;
  /** Whether a transaction may be forwarded to the executor. */
  readonly mayExecute: (entry: MempoolEntry) => boolean;
  /** Number of received transactions that may become available soon. */
  readonly coming: () => number;
  /** Class declared by a waiting transaction. */
  readonly declaredClass: (hash: Felt) => ClassContents | undefined;
  /** Notified of transactions sent to the executor, while watched. */
  readonly onDispatched: (transactions: readonly DispatchedTransaction[]) => void;
}

/** Sends waiting transactions to the executor, with their validation results. */
export class ExecutorHandler {
  readonly #deps: ExecutorHandlerDeps;
  /** Encoded validation results of waiting entries; in memory only, lost at a restart. */
  readonly #validations = new WeakMap<MempoolEntry, Uint8Array>();
  /** Entries that the executor has received at least once. */
  readonly #dispatched = new WeakSet<MempoolEntry>();
  #isWatched = false;
  /** The executor received an empty batch and waits for a wake-up. */
  #isWaiting = false;
  /** The executor was notified that more transactions are coming. */
  #expectsMore = false;

  constructor(deps: ExecutorHandlerDeps) {
    this.#deps = deps;
  }

  /** Keeps an encoded validation result, up to {@link MAX_VALIDATION_BYTES}. */
  keepValidation(entry: MempoolEntry, validation: Uint8Array): void {
    if (validation.length <= MAX_VALIDATION_BYTES) this.#validations.set(entry, validation);
  }

  /** Whether transactions sent to the executor are reported. */
  get isWatched(): boolean {
    return this.#isWatched;
  }

  /** Enables or disables reports of transactions sent to the executor. */
  watch(isWanted: boolean): void {
    this.#isWatched = isWanted;
  }

  /** Sends the executor up to `max` transactions of the first rank. */
  hand(max: number, precedence?: Precedence): void {
    const { executor, mempool, mayExecute, declaredClass } = this.#deps;
    const rankOf = ranking(precedence);
    const { entries, attempt } = mempool.take(max, (entry) =>
      mayExecute(entry) ? rankOf(entry) : null,
    );
    this.#isWaiting = entries.length === 0;
    this.#note(entries);
    const bytes = encodeBatch(
      entries.map((entry) => ({
        transaction: entry.bytes,
        prevalidated: this.#validations.get(entry),
        isImpersonated: entry.isImpersonated ?? false,
        declared: entry.kind === "DECLARE" ? declaredClass(entry.hash) : undefined,
      })),
    );
    const coming = this.#tellComing();
    executor.send({ kind: "batch", count: entries.length, coming, attempt, bytes }, [bytes.buffer]);
  }

  /** Runs before the executor receives the entries, so that its reports on them come later. */
  #note(entries: readonly MempoolEntry[]): void {
    if (this.#isWatched && entries.length > 0) {
      this.#deps.onDispatched(
        entries.map((entry) => {
          const { hash, bytes } = entry;
          return { hash, bytes, isAgain: this.#dispatched.has(entry) };
        }),
      );
    }
    for (const entry of entries) this.#dispatched.add(entry);
  }

  /** Wakes the executor if it waits for a transaction, or for all coming ones to be available. */
  wake(): void {
    const hasAll = this.#expectsMore && this.#deps.coming() === 0;
    if (!this.#isWaiting && !hasAll) return;
    this.#isWaiting = false;
    this.#deps.executor.send({ kind: "wake", coming: this.#tellComing() });
  }

  #tellComing(): number {
    const coming = this.#deps.coming();
    this.#expectsMore = coming > 0;
    return coming;
  }
}
