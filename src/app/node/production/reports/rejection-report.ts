import { hexFromFelt } from "#base/primitives/index.ts";
import { loggable, type Logger, LogRateLimiter } from "#base/telemetry/index.ts";
import type { ReportedRejection } from "#services/admission/index.ts";

/** Dependencies of {@link RejectionReport}. */
export interface RejectionReportDeps {
  readonly log: Pick<Logger, "info">;
  readonly count: (code: string) => void;
  /** As in `LogRateLimiterDeps`. */
  readonly schedule: (work: () => void, delayMs: number) => void;
}

/**
 * Reports rejected transactions: all in the metrics, and in the log within a rate limit, with a count of the
 * suppressed lines each second. The full reason is part of the transaction's status.
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

  /** Logs the number of suppressed lines so far. */
  flush(): void {
    this.#limiter.flush();
  }
}
