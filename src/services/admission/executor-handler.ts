import type { Felt, Outlet } from "#base/primitives/index.ts";
import type { ClassContents } from "#protocol/chain/index.ts";
import { encodeBatch } from "./batch-codec.ts";
import { type Precedence, ranking } from "./precedence.ts";
import type { MempoolService } from "./mempool-service.ts";
import type { MempoolEntry } from "./mempool/index.ts";
import type { AdmissionToExecutor } from "./messages.ts";
import type { HandedTransaction } from "./requests.ts";

/** Validations that are larger are not kept: the mempool's limits count transactions only. */
export const MAX_VALIDATION_BYTES = 16_384;

/** What a handler works with. */
export interface ExecutorHandlerDeps {
  readonly executor: Outlet<AdmissionToExecutor>;
  readonly mempool: Pick<MempoolService, "take">;
  /** Whether a transaction may be handed on. */
  readonly mayGo: (entry: MempoolEntry) => boolean;
  /** How many transactions have arrived and may go soon. */
  readonly coming: () => number;
  /** The class that a waiting transaction declares. */
  readonly declaredClass: (hash: Felt) => ClassContents | undefined;
  /** Hears what the executor gets, while that is watched. */
  readonly onHanded: (handed: readonly HandedTransaction[]) => void;
}

/** Hands waiting transactions to the executor, with what their validation has found. */
export class ExecutorHandler {
  readonly #deps: ExecutorHandlerDeps;
  /** Validations of what waits, encoded; in memory only: after a restart there are none. */
  readonly #validations = new WeakMap<MempoolEntry, Uint8Array>();
  /** What the executor has had. */
  readonly #handed = new WeakSet<MempoolEntry>();
  #isWatched = false;
  /** The executor got an empty batch and waits to be woken. */
  #isWaiting = false;
  /** It was told that more is coming. */
  #expectsMore = false;

  constructor(deps: ExecutorHandlerDeps) {
    this.#deps = deps;
  }

  /** Keeps what the executor need not compute again, up to {@link MAX_VALIDATION_BYTES}. */
  keepValidation(entry: MempoolEntry, validation: Uint8Array): void {
    if (validation.length <= MAX_VALIDATION_BYTES) this.#validations.set(entry, validation);
  }

  /** Whether what the executor gets is told. */
  get isWatched(): boolean {
    return this.#isWatched;
  }

  /** Tells of what the executor gets from now on, or no more. */
  watch(isWanted: boolean): void {
    this.#isWatched = isWanted;
  }

  /** Answers the executor, who asks for up to `max` transactions of the rank that goes first. */
  hand(max: number, precedence?: Precedence): void {
    const { executor, mempool, mayGo, declaredClass } = this.#deps;
    const rankOf = ranking(precedence);
    const { entries, attempt } = mempool.take(max, (entry) =>
      mayGo(entry) ? rankOf(entry) : null,
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

  /** Before the executor gets them: what it does with them is told later. */
  #note(entries: readonly MempoolEntry[]): void {
    if (this.#isWatched && entries.length > 0) {
      this.#deps.onHanded(
        entries.map((entry) => {
          const { hash, bytes } = entry;
          return { hash, bytes, isAgain: this.#handed.has(entry) };
        }),
      );
    }
    for (const entry of entries) this.#handed.add(entry);
  }

  /** Something may go: wakes the executor if it waits for that, or for all that was coming. */
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
