import { hexFromFelt } from "#base/primitives/index.ts";
import { loggable, type Logger, LogRateLimiter } from "#base/telemetry/index.ts";
import type { ReportedRejection } from "#services/admission/index.ts";

/** What a report works with. */
export interface RejectionReportDeps {
  readonly log: Pick<Logger, "info">;
  /** Counts a rejection. */
  readonly count: (code: string) => void;
  /** As in `LogRateLimiterDeps`. */
  readonly schedule: (work: () => void, delayMs: number) => void;
}

/**
 * Tells operators of rejected transactions: each in the metrics, and in the log as long as there are
 * few; of many, a line a second says how many more there were. The whole reason is for whoever asks
 * for the transaction's status.
 */
export class RejectionReport {
  readonly #deps: RejectionReportDeps;
  readonly #limiter: LogRateLimiter;

  constructor(deps: RejectionReportDeps) {
    this.#deps = deps;
    const summarize = (count: number): void =>
      deps.log.info("more transactions rejected", { count });
    this.#limiter = new LogRateLimiter({ ...deps, summarize });
  }

  /** Reports rejections. */
  add(rejections: readonly ReportedRejection[]): void {
    for (const { hash, sender, code, reason } of rejections) {
      this.#deps.count(code);
      if (!this.#limiter.take()) continue;
      this.#deps.log.info("transaction rejected", {
        hash: hexFromFelt(hash),
        sender: hexFromFelt(sender),
        code,
        reason: loggable(reason),
      });
    }
  }

  /** Logs how many were only counted so far. */
  flush(): void {
    this.#limiter.flush();
  }
}
