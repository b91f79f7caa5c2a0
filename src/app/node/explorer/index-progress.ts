import type { Logger } from "#base/telemetry/index.ts";
import type { IndexReport } from "#services/explorer-index/index.ts";

/** Progress of the explorer's index on the main thread: what is indexed, and lines in the log. */
export class IndexProgress {
  readonly #log: Pick<Logger, "info" | "warn">;
  #indexed: { readonly from: number; readonly to: number | null } = { from: 0, to: null };

  constructor(log: Pick<Logger, "info" | "warn">) {
    this.#log = log;
  }

  /** Blocks that are indexed; `to` is `null` while none is. */
  get indexed(): { readonly from: number; readonly to: number | null } {
    return this.#indexed;
  }

  note(report: IndexReport): void {
    const log = this.#log;
    switch (report.kind) {
      case "indexed":
        this.#indexed = { from: report.from, to: report.to };
        return;
      case "paused":
        return log.warn("the explorer's lists are not continued; the node retries", {
          reason: report.reason,
        });
      case "continued":
        return log.info("the explorer's lists are continued");
      case "rebuilt":
        this.#indexed = { ...this.#indexed, to: null };
        return log.info("the explorer's lists are built again", { reason: report.reason });
    }
  }
}
