import type { Timer } from "#base/primitives/index.ts";
import type { Logger } from "#base/telemetry/index.ts";
import type { ReconcileEvent } from "#services/replication/index.ts";

/** Pause between two lines about the same. */
const AGAIN_MS = 10_000;

/** Logs what a start does to make the stored chain and the published one agree. */
export class ReconcileLog {
  readonly #log: Logger;
  readonly #timer: Pick<Timer, "nowMs">;
  #waitingAtMs = Number.NEGATIVE_INFINITY;
  #publishedAtMs = Number.NEGATIVE_INFINITY;

  constructor(log: Logger, timer: Pick<Timer, "nowMs">) {
    this.#log = log;
    this.#timer = timer;
  }

  /** Tells of a store that does not answer, now and then. */
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
        this.#log.warn("the object store had lost a block; it has it again", {
          block: event.blockNumber,
        });
        break;
      case "unwound":
        this.#log.warn("stored blocks are unwound: the object store has others, or none", {
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
    this.#log.info("stored blocks are published", { done, total });
  }
}
