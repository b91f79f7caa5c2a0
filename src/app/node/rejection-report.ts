import { hexFromFelt } from "#base/primitives/index.ts";
import type { Logger } from "#base/telemetry/index.ts";
import type { ReportedRejection } from "#services/admission/index.ts";

/** What a report works with. */
export interface RejectionReportParts {
  readonly log: Pick<Logger, "info">;
  /** Counts a rejection. */
  readonly count: (code: string) => void;
  /** Calls back once after a time; default: a timer that keeps no process alive. */
  readonly schedule?: (work: () => void, delayMs: number) => void;
}

/** Lines of single rejections in one {@link WINDOW_MS}; what is beyond is counted. */
const MAX_LINES = 10;

const WINDOW_MS = 1000;

/** Longest reason in the log; the whole one is for whoever asks for the transaction's status. */
const MAX_REASON_LENGTH = 300;

/**
 * Tells operators of rejected transactions: each in the metrics, and in the log as long as there are
 * few; of many, a line a second says how many more there were.
 */
export class RejectionReport {
  readonly #parts: RejectionReportParts;
  #lines = 0;
  #unlogged = 0;
  #isWindowOpen = false;

  constructor(parts: RejectionReportParts) {
    this.#parts = parts;
  }

  /** Reports rejections. */
  add(rejections: readonly ReportedRejection[]): void {
    for (const { hash, sender, code, reason } of rejections) {
      this.#parts.count(code);
      this.#openWindow();
      if (this.#lines >= MAX_LINES) {
        this.#unlogged++;
        continue;
      }
      this.#lines++;
      this.#parts.log.info("transaction rejected", {
        hash: hexFromFelt(hash),
        sender: hexFromFelt(sender),
        code,
        reason: loggable(reason),
      });
    }
  }

  /** Logs how many were only counted so far. */
  flush(): void {
    if (this.#unlogged > 0) {
      this.#parts.log.info("more transactions rejected", { count: this.#unlogged });
    }
    this.#lines = 0;
    this.#unlogged = 0;
  }

  #openWindow(): void {
    if (this.#isWindowOpen) return;
    this.#isWindowOpen = true;
    const { schedule = scheduleQuietly } = this.#parts;
    schedule(() => {
      this.#isWindowOpen = false;
      this.flush();
    }, WINDOW_MS);
  }
}

function scheduleQuietly(work: () => void, delayMs: number): void {
  setTimeout(work, delayMs).unref();
}

/** Contracts have a say in reasons: nothing but visible ASCII reaches a terminal. */
function loggable(reason: string): string {
  const visible = reason.replace(/[^\x20-\x7e]+/g, " ");
  return visible.length <= MAX_REASON_LENGTH ? visible : `${visible.slice(0, MAX_REASON_LENGTH)}…`;
}
