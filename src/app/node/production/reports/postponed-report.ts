import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { Logger } from "#base/telemetry/index.ts";
import type { PostponedChange } from "#services/admission/index.ts";

/** Reports transactions that wait in the mempool for values of a fork's origin, each once. */
export class PostponedReport {
  readonly #log: Pick<Logger, "warn" | "info">;
  readonly #waiting = new Map<Felt, string>();

  constructor(log: Pick<Logger, "warn" | "info">) {
    this.#log = log;
  }

  /** Records a change of the transactions that wait. */
  note({ added, left }: PostponedChange): void {
    const sizeBefore = this.#waiting.size;
    for (const hash of left) this.#waiting.delete(hash);
    for (const { hash, reason } of added) {
      const isKnown = this.#waiting.has(hash);
      this.#waiting.set(hash, reason);
      if (isKnown) continue;
      this.#log.warn(
        `transaction ${hexFromFelt(hash)} waits in the mempool for a value of the fork's origin: ${reason}`,
      );
    }
    if (sizeBefore > 0 && this.#waiting.size === 0) {
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
    this.#waiting.clear();
  }
}
