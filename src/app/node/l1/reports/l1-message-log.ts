import type { Timer } from "#base/primitives/index.ts";
import { describeError, loggable, type Logger, LogRateLimiter } from "#base/telemetry/index.ts";
import type { LeftOutReason, MessageEvent } from "#services/l1-watch/index.ts";

/** How often it is said again that messages wait for L1. */
const SAID_AGAIN_MS = 600_000;

/** What the log of messages from L1 works with. */
export interface L1MessageLogDeps {
  readonly log: Pick<Logger, "info" | "warn">;
  readonly timer: Pick<Timer, "nowMs" | "after">;
}

/** Tells the log what becomes of messages from L1. */
export class L1MessageLog {
  readonly #deps: L1MessageLogDeps;
  /** Anyone may send messages: of those that are left out some have a line, the others are counted. */
  readonly #leftOut: LogRateLimiter;
  #delaySaidMs: number | undefined;

  constructor(deps: L1MessageLogDeps) {
    const { log, timer } = deps;
    this.#deps = deps;
    this.#leftOut = new LogRateLimiter({
      schedule: (work, delayMs) => void timer.after(delayMs, work),
      summarize: (count) => log.warn("more messages from L1 are left out", { count }),
    });
  }

  message(event: MessageEvent): void {
    const { log } = this.#deps;
    switch (event.kind) {
      case "handed": {
        const { firstNonce, lastNonce, included, refused } = event.messages;
        this.#delaySaidMs = undefined;
        if (included === 0) return;
        log.info("messages from L1 are executed", {
          messages: included,
          nonces: firstNonce === lastNonce ? `${firstNonce}` : `${firstNonce}-${lastNonce}`,
          refused,
        });
        return;
      }
      case "left_out": {
        if (!this.#leftOut.take()) return;
        const { nonce, l1TransactionHash, l1BlockNumber, reason } = event.message;
        log.warn("a message from L1 is left out", {
          nonce,
          reason: reasonOf(reason),
          l1_transaction: `0x${l1TransactionHash.toString(16).padStart(64, "0")}`,
          l1_block: l1BlockNumber,
        });
        return;
      }
      case "returned":
        if (this.#leftOut.take()) {
          log.info("a message from L1 counts again", { nonce: event.nonce });
        }
        return;
      case "found":
        log.warn("messages from L1 that were left out of its logs are there now", {
          nonces: `${event.firstNonce}-${event.lastNonce}`,
        });
        return;
      case "too_old":
        log.warn(
          "messages from L1 are older than l1_messages_replay_max_duration and in no block: they are not executed",
          { nonces: `${event.firstNonce}-${event.lastNonce}` },
        );
        return;
      case "delayed":
        this.#delayed(event.error);
        return;
    }
  }

  /** Logs what was only counted. */
  flush(): void {
    this.#leftOut.flush();
  }

  #delayed(error: unknown): void {
    const { log, timer } = this.#deps;
    const nowMs = timer.nowMs();
    if (this.#delaySaidMs !== undefined && nowMs - this.#delaySaidMs < SAID_AGAIN_MS) return;
    this.#delaySaidMs = nowMs;
    log.warn("messages from L1 wait: L1 does not say whether they still stand", {
      reason: loggable(describeError(error)),
    });
  }
}

function reasonOf(reason: LeftOutReason): string {
  switch (reason.kind) {
    case "unusable":
      return loggable(`no transaction can have it: ${reason.what}`);
    case "cancellation":
      return "its cancellation was begun";
    case "gone":
      return "the core contract does not have it any more";
    case "refused":
      return loggable(reason.reason);
  }
}
