import type { Timer } from "#base/primitives/index.ts";
import { HEARTBEAT_MS } from "./heartbeat.ts";

/** Dependencies of a {@link PublicationWatch}. */
export interface PublicationWatchDeps {
  /** Time that a block may wait while signs of life reach the store. */
  readonly publishTimeoutMs: number;
  /** Called once, with the reason, when a block has waited for longer. */
  readonly onHopeless: (reason: string) => void;
  readonly timer: Pick<Timer, "nowMs">;
}

/**
 * Finds out that a leader cannot publish although the store answers it: a block waits while its signs of
 * life are written. Others see a leader that lives and makes no blocks, and would wait forever. A store that
 * answers nothing is not meant: time counts only between two signs of life that were written.
 */
export class PublicationWatch {
  readonly #deps: PublicationWatchDeps;
  /** Why the newest block waits; `undefined`: none does. */
  #reason: string | undefined;
  #waitedMs = 0;
  /** Time of the last sign of life since which all were written; `undefined`: none. */
  #beatenAtMs: number | undefined;
  #isHopeless = false;

  constructor(deps: PublicationWatchDeps) {
    this.#deps = deps;
  }

  /** A block waits, for this reason. */
  waiting(reason: string): void {
    this.#reason = reason;
  }

  /** No block waits. */
  settled(): void {
    this.#reason = undefined;
    this.#waitedMs = 0;
  }

  /** A sign of life was written, or could not be. */
  beaten(isWritten: boolean): void {
    const { timer, publishTimeoutMs, onHopeless } = this.#deps;
    const nowMs = timer.nowMs();
    const beforeMs = this.#beatenAtMs;
    this.#beatenAtMs = isWritten ? nowMs : undefined;
    if (!isWritten || this.#reason === undefined) {
      this.#waitedMs = 0;
      return;
    }
    // Time in which this process did not run is not time in which a block waited.
    if (beforeMs !== undefined) this.#waitedMs += Math.min(nowMs - beforeMs, 2 * HEARTBEAT_MS);
    if (this.#isHopeless || this.#waitedMs < publishTimeoutMs) return;
    this.#isHopeless = true;
    const seconds = Math.floor(this.#waitedMs / 1000);
    onHopeless(`a block could not be published for ${seconds} s: ${this.#reason}`);
  }
}
