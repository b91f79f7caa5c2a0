import { loggable, type Logger } from "#base/telemetry/index.ts";
import type { SyncRefusal } from "#services/sync/index.ts";

/** Minimum time between two lines, in milliseconds: a gateway may send wrong blocks twice a second. */
export const DROPPED_EVERY_MS = 60_000;

/** Dependencies of {@link DroppedPreConfirmed}. */
export interface DroppedPreConfirmedDeps {
  readonly log: Logger;
  readonly nowMs: () => number;
}

/** Logs wrong pre-confirmed blocks: the first one, then one line a minute with their number. */
export class DroppedPreConfirmed {
  readonly #deps: DroppedPreConfirmedDeps;
  #loggedMs = Number.NEGATIVE_INFINITY;
  /** Blocks since the last line. */
  #count = 0;

  constructor(deps: DroppedPreConfirmedDeps) {
    this.#deps = deps;
  }

  /** Records a block. @returns a function that writes the log line, if one is due */
  dropped({ check, message }: SyncRefusal): (() => void) | undefined {
    const { log, nowMs } = this.#deps;
    this.#count++;
    if (nowMs() - this.#loggedMs < DROPPED_EVERY_MS) return undefined;
    this.#loggedMs = nowMs();
    const dropped = this.#count;
    this.#count = 0;
    return () =>
      log.warn("dropped a wrong pre-confirmed block: still following accepted blocks", {
        check,
        reason: loggable(message),
        dropped,
      });
  }
}
