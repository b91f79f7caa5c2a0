import { hexFromFelt } from "#base/primitives/index.ts";
import { loggable, type Logger, LogRateLimiter } from "#base/telemetry/index.ts";
import type { RevertedTransactions } from "#services/sequencer/index.ts";

/** Dependencies of {@link RevertedTransactionsReport}. */
export interface RevertedTransactionsReportDeps {
  readonly log: Pick<Logger, "info">;
  /** As in `LogRateLimiterDeps`. */
  readonly schedule: (work: () => void, delayMs: number) => void;
}

/**
 * Logs reverted transactions within a rate limit, with a count of the suppressed lines each second. The full
 * reason is in the receipt.
 */
export class RevertedTransactionsReport {
  readonly #log: RevertedTransactionsReportDeps["log"];
  readonly #limiter: LogRateLimiter;

  constructor(deps: RevertedTransactionsReportDeps) {
    this.#log = deps.log;
    const summarize = (count: number): void =>
      deps.log.info("more transactions reverted", { count });
    this.#limiter = new LogRateLimiter({ ...deps, summarize });
  }

  /** Reports the reverted transactions of an accepted block. */
  add(blockNumber: number, { count, first }: RevertedTransactions): void {
    for (const { hash, sender, reason } of first) {
      if (!this.#limiter.take()) continue;
      this.#log.info("transaction reverted", {
        hash: hexFromFelt(hash),
        sender: hexFromFelt(sender),
        block: blockNumber,
        reason: loggable(reason),
      });
    }
    this.#limiter.skip(count - first.length);
  }

  /** Logs the number of suppressed lines so far. */
  flush(): void {
    this.#limiter.flush();
  }
}
