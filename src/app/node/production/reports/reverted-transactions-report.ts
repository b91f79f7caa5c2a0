import { hexFromFelt } from "#base/primitives/index.ts";
import { loggable, type Logger, LogRateLimiter } from "#base/telemetry/index.ts";
import type { RevertedTransactions } from "#services/sequencer/index.ts";

/** What a report works with. */
export interface RevertedTransactionsReportDeps {
  readonly log: Pick<Logger, "info">;
  /** As in `LogRateLimiterDeps`. */
  readonly schedule: (work: () => void, delayMs: number) => void;
}

/**
 * Tells operators of reverted transactions in the log, as long as there are few; of many, a line a
 * second says how many more there were. The whole reason is in the receipt.
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

  /** Reports what reverted in an accepted block. */
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

  /** Logs how many were only counted so far. */
  flush(): void {
    this.#limiter.flush();
  }
}
