import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { Logger } from "#base/telemetry/index.ts";
import type { PostponedTransaction } from "#services/admission/index.ts";

/** Reports transactions that wait in the mempool for values of a fork's origin, each once. */
export class PostponedReport {
  readonly #log: Pick<Logger, "warn" | "info">;
  #waiting: ReadonlyMap<Felt, string> = new Map();

  constructor(log: Pick<Logger, "warn" | "info">) {
    this.#log = log;
  }

  /** Records the transactions that wait now. */
  note(postponed: readonly PostponedTransaction[]): void {
    const before = this.#waiting;
    this.#waiting = new Map(postponed.map(({ hash, reason }) => [hash, reason]));
    for (const [hash, reason] of this.#waiting) {
      if (before.has(hash)) continue;
      this.#log.warn(
        `transaction ${hexFromFelt(hash)} waits in the mempool for a value of the fork's origin: ${reason}`,
      );
    }
    if (before.size > 0 && this.#waiting.size === 0) {
      this.#log.info("no transaction waits for the fork's origin any longer");
    }
  }

  /** Why the node is not ready: transactions wait; `undefined` if none does. */
  alarm(): string | undefined {
    const [reason] = this.#waiting.values();
    if (reason === undefined) return undefined;
    const { size } = this.#waiting;
    const what = size === 1 ? "a transaction waits" : `${size} transactions wait`;
    return `${what} for the fork's origin: ${reason}`;
  }

  /** Forgets what waited: admission has restarted. */
  forget(): void {
    this.#waiting = new Map();
  }
}
