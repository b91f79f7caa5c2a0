import type { Timer } from "#base/primitives/index.ts";
import { describeError, loggable, type Logger, LogRateLimiter } from "#base/telemetry/index.ts";
import type { HeldBackReason, MessageEvent } from "#services/l1-watch/index.ts";

/** Interval between repeated lines about messages that wait for L1, in milliseconds. */
const LOG_AGAIN_MS = 600_000;

/** Dependencies of {@link L1MessageLog}. */
export interface L1MessageLogDeps {
  readonly log: Pick<Logger, "info" | "warn">;
  readonly timer: Pick<Timer, "nowMs" | "after">;
}

/** Logs the progress of messages from L1. */
export class L1MessageLog {
  readonly #deps: L1MessageLogDeps;
  /** Limits the lines about skipped messages, because anyone may send them; the others are counted. */
  readonly #leftOut: LogRateLimiter;
  #delaySaidMs: number | undefined;

  constructor(deps: L1MessageLogDeps) {
    const { log, timer } = deps;
    this.#deps = deps;
    this.#leftOut = new LogRateLimiter({
      schedule: (work, delayMs) => void timer.after(delayMs, work),
      summarize: (count) => log.warn("skipped more messages from L1", { count }),
    });
  }

  message(event: MessageEvent): void {
    const { log } = this.#deps;
    switch (event.kind) {
      case "batch": {
        const { firstNonce, lastNonce, included, refused } = event.messages;
        this.#delaySaidMs = undefined;
        if (included === 0) return;
        log.info("executed messages from L1", {
          messages: included,
          nonces: firstNonce === lastNonce ? `${firstNonce}` : `${firstNonce}-${lastNonce}`,
          refused,
        });
        return;
      }
      case "held_back": {
        if (!this.#leftOut.take()) return;
        const { nonce, l1TransactionHash, l1BlockNumber, reason } = event.message;
        log.warn("skipped a message from L1", {
          nonce,
          reason: reasonOf(reason),
          l1_transaction: `0x${l1TransactionHash.toString(16).padStart(64, "0")}`,
          l1_block: l1BlockNumber,
        });
        return;
      }
      case "returned":
        if (this.#leftOut.take()) {
          log.info("a message from L1 is valid again", { nonce: event.nonce });
        }
        return;
      case "found":
        log.warn("found messages from L1 that its logs omitted before", {
          nonces: `${event.firstNonce}-${event.lastNonce}`,
        });
        return;
      case "too_old":
        log.warn(
          "messages from L1 in no block are older than l1_messages_replay_max_duration: they are not executed",
          { nonces: `${event.firstNonce}-${event.lastNonce}` },
        );
        return;
      case "delayed":
        this.#delayed(event.error);
        return;
    }
  }

  /** Logs the count of suppressed lines. */
  flush(): void {
    this.#leftOut.flush();
  }

  #delayed(error: unknown): void {
    const { log, timer } = this.#deps;
    const nowMs = timer.nowMs();
    if (this.#delaySaidMs !== undefined && nowMs - this.#delaySaidMs < LOG_AGAIN_MS) return;
    this.#delaySaidMs = nowMs;
    log.warn("messages from L1 wait: L1 does not confirm that they are still valid", {
      reason: loggable(describeError(error)),
    });
  }
}

function reasonOf(reason: HeldBackReason): string {
  switch (reason.kind) {
    case "unusable":
      return loggable(`no transaction can contain it: ${reason.what}`);
    case "cancellation":
      return "its cancellation was started";
    case "gone":
      return "the core contract no longer has it";
    case "refused":
      return loggable(reason.reason);
  }
}
