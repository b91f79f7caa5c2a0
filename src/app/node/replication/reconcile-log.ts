import type { Timer } from "#base/primitives/index.ts";
import type { Logger } from "#base/telemetry/index.ts";
import type { ReconcileEvent } from "#services/replication/index.ts";

/** Minimum pause between two equal log lines. */
const AGAIN_MS = 10_000;

/** Logs how a start reconciles the stored chain with the published one. */
export class ReconcileLog {
  readonly #log: Logger;
  readonly #timer: Pick<Timer, "nowMs">;
  #waitingAtMs = Number.NEGATIVE_INFINITY;
  #publishedAtMs = Number.NEGATIVE_INFINITY;

  constructor(log: Logger, timer: Pick<Timer, "nowMs">) {
    this.#log = log;
    this.#timer = timer;
  }

  /** Logs at intervals that the store does not respond. */
  waiting(reason: string): void {
    const nowMs = this.#timer.nowMs();
    if (nowMs - this.#waitingAtMs < AGAIN_MS) return;
    this.#waitingAtMs = nowMs;
    this.#log.warn("the start waits for the object store", { reason });
  }

  tell(event: ReconcileEvent): void {
    switch (event.kind) {
      case "waiting":
        this.waiting(event.reason);
        break;
      case "published":
        this.#published(event);
        break;
      case "filled":
        this.#log.warn("restored a block that the object store had lost", {
          block: event.blockNumber,
        });
        break;
      case "unwound":
        this.#log.warn("reverted stored blocks: the object store has others, or none", {
          blocks: event.count,
          newest: event.newestBlock,
        });
        break;
    }
  }

  #published({ done, total }: Extract<ReconcileEvent, { readonly kind: "published" }>): void {
    const nowMs = this.#timer.nowMs();
    if (done < total && nowMs - this.#publishedAtMs < AGAIN_MS) return;
    this.#publishedAtMs = nowMs;
    this.#log.info("publishing stored blocks", { done, total });
  }
}
