import type { ReplicationMetrics } from "#base/metrics/index.ts";
import type { Logger } from "#base/telemetry/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import type { GateMessage } from "#services/sequencer/index.ts";
import { unpublishedText } from "../../setup/readiness-reasons.ts";

/** Minimum pause between two lines about a waiting gate. */
const LOG_AGAIN_MS = 60_000;

/** Wait of a block after which the node is no longer ready, in milliseconds. */
export const NOT_READY_MS = 30_000;

/** Dependencies of {@link GateReport}. */
export interface GateReportDeps {
  readonly log: Logger;
  readonly metrics: ReplicationMetrics;
  readonly timer: Pick<Timer, "nowMs">;
}

/** Block that waits to be published. */
interface Waiting {
  readonly blockNumber: number;
  readonly sinceMs: number;
  readonly loggedAtMs: number;
  readonly reason: string;
}

/** Reports the publish gate's state to the log, the metrics and `/ready`. */
export class GateReport {
  readonly #deps: GateReportDeps;
  #waiting: Waiting | undefined;

  constructor(deps: GateReportDeps) {
    this.#deps = deps;
  }

  /** Handles a message of the committer's gate. */
  tell(message: GateMessage): void {
    const { blockNumber, state } = message;
    if (state === "waiting") this.#wait(blockNumber, message.reason);
    else if (state === "open") this.#open();
    else {
      this.forget();
      const { epoch } = message;
      this.#deps.log.warn(`block ${blockNumber} is not published: another one is in its place`, {
        epoch: epoch ?? "unknown",
      });
    }
  }

  published(): void {
    this.#deps.metrics.gatePublishedBlocks.inc();
  }

  /** Clears the state after a restart of the committer. */
  forget(): void {
    this.#waiting = undefined;
  }

  /** Updates the metrics before they are read. */
  refresh(): void {
    this.#deps.metrics.gateWaitingSeconds.set(this.#seconds());
  }

  /** Reason why the node is not ready; `undefined` if no block has waited for long. */
  alarm(): string | undefined {
    const waiting = this.#waiting;
    if (waiting === undefined || this.#seconds() * 1000 < NOT_READY_MS) return undefined;
    const { blockNumber, reason } = waiting;
    return unpublishedText(blockNumber, this.#seconds() * 1000, reason);
  }

  #seconds(): number {
    const waiting = this.#waiting;
    return waiting === undefined ? 0 : (this.#deps.timer.nowMs() - waiting.sinceMs) / 1000;
  }

  #wait(blockNumber: number, reason: string): void {
    const { log, metrics, timer } = this.#deps;
    metrics.gateRetries.inc();
    const nowMs = timer.nowMs();
    const before = this.#waiting;
    const sinceMs = before?.blockNumber === blockNumber ? before.sinceMs : nowMs;
    const loggedAtMs = before?.blockNumber === blockNumber ? before.loggedAtMs : undefined;
    const isLogged = loggedAtMs !== undefined && nowMs - loggedAtMs < LOG_AGAIN_MS;
    this.#waiting = { blockNumber, sinceMs, loggedAtMs: isLogged ? loggedAtMs : nowMs, reason };
    if (isLogged) return;
    log.warn(`block ${blockNumber} waits to be published: no blocks are accepted until it is`, {
      seconds: Math.floor(this.#seconds()),
      reason,
    });
  }

  #open(): void {
    const { log } = this.#deps;
    const waiting = this.#waiting;
    if (waiting === undefined) return;
    log.info(`block ${waiting.blockNumber} is published: block production continues`, {
      waited_seconds: Math.round(this.#seconds()),
    });
    this.forget();
  }
}
