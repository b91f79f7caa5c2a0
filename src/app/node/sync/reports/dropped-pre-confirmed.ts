import { loggable, type Logger } from "#base/telemetry/index.ts";
import type { SyncRefusal } from "#services/sync/index.ts";

/** Shortest time between two lines: a gateway may send wrong blocks twice a second. */
export const DROPPED_EVERY_MS = 60_000;

/** What dropped blocks are logged with. */
export interface DroppedPreConfirmedDeps {
  readonly log: Logger;
  readonly nowMs: () => number;
}

/** Logs pre-confirmed blocks that are wrong: the first one, then one line a minute with their number. */
export class DroppedPreConfirmed {
  readonly #deps: DroppedPreConfirmedDeps;
  #saidMs = Number.NEGATIVE_INFINITY;
  /** Blocks since the last line. */
  #count = 0;

  constructor(deps: DroppedPreConfirmedDeps) {
    this.#deps = deps;
  }

  /** Records a block. @returns writes a line of the log, if one is due */
  dropped({ check, message }: SyncRefusal): (() => void) | undefined {
    const { log, nowMs } = this.#deps;
    this.#count++;
    if (nowMs() - this.#saidMs < DROPPED_EVERY_MS) return undefined;
    this.#saidMs = nowMs();
    const dropped = this.#count;
    this.#count = 0;
    return () =>
      log.warn("a pre-confirmed block is wrong and is dropped: accepted blocks are followed", {
        check,
        reason: loggable(message),
        dropped,
      });
  }
}
