import type { Felt, Timer } from "#base/primitives/index.ts";
import type { MempoolEntry } from "./mempool/index.ts";
import type { PostponedChange, PostponedTransaction } from "./messages.ts";

/** Time until a postponed transaction is handed out again, in milliseconds; doubles with each failure. */
export const FIRST_DELAY_MS = 1_000;

/** Maximum time until a postponed transaction is handed out again, in milliseconds. */
export const MAX_DELAY_MS = 8_000;

/** Dependencies of {@link PostponedTransactions}. */
export interface PostponedDeps {
  /** Entry of a transaction in the mempool; `undefined` when it has left. */
  readonly find: (hash: Felt) => MempoolEntry | undefined;
  /** Called when postponed transactions may be handed out again. */
  readonly wake: () => void;
  /** Reports which transactions wait from now on, and which do no longer. */
  readonly report: (change: PostponedChange) => void;
  readonly timer: Timer;
}

interface Delay {
  readonly reason: string;
  readonly entry: MempoolEntry;
  readonly failures: number;
  readonly untilMs: number;
}

/**
 * Transactions that wait in the mempool for values of a fork's origin. Each is tried again from time to time,
 * so that the mempool continues when the origin does; others pass meanwhile.
 */
export class PostponedTransactions {
  readonly #deps: PostponedDeps;
  readonly #delays = new Map<Felt, Delay>();

  constructor(deps: PostponedDeps) {
    this.#deps = deps;
  }

  /** Postpones transactions. */
  add(postponed: readonly PostponedTransaction[]): void {
    const { find, timer, wake, report } = this.#deps;
    const added: PostponedTransaction[] = [];
    for (const { hash, reason } of postponed) {
      const entry = find(hash);
      if (entry === undefined) continue;
      const before = this.#delays.get(hash);
      if (before?.reason !== reason) added.push({ hash, reason });
      const failures = (before?.failures ?? 0) + 1;
      const delayMs = Math.min(FIRST_DELAY_MS * 2 ** (failures - 1), MAX_DELAY_MS);
      const untilMs = timer.nowMs() + delayMs;
      this.#delays.set(hash, { reason, entry, failures, untilMs });
      timer.after(delayMs, wake);
    }
    if (added.length > 0) report({ added, left: [] });
  }

  /** Whether a transaction may be handed out now. */
  mayExecute({ hash }: Pick<MempoolEntry, "hash">): boolean {
    if (this.#delays.size === 0) return true;
    const delay = this.#delays.get(hash);
    return delay === undefined || this.#deps.timer.nowMs() >= delay.untilMs;
  }

  /** Forgets transactions that have left the mempool. */
  sweep(): void {
    if (this.#delays.size === 0) return;
    const { find, report } = this.#deps;
    const left: Felt[] = [];
    for (const [hash, { entry }] of this.#delays) {
      if (find(hash) !== entry) left.push(hash);
    }
    for (const hash of left) this.#delays.delete(hash);
    if (left.length > 0) report({ added: [], left });
  }
}
