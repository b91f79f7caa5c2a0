import type { Timer } from "#base/primitives/index.ts";
import { HEARTBEAT_MS } from "./heartbeat.ts";

/** Dependencies of a {@link PublicationWatch}. */
export interface PublicationWatchDeps {
  /** Maximum time a block may wait for publication while heartbeats reach the store. */
  readonly publishTimeoutMs: number;
  /** Called once, with the reason, when a block has waited longer than that. */
  readonly onHopeless: (reason: string) => void;
  readonly timer: Pick<Timer, "nowMs">;
}

/**
 * Detects a leader that cannot publish although the store answers it: a block waits while heartbeats are
 * written. Other sequencers would see a live leader that makes no blocks, and would wait forever. A store
 * that answers nothing is a different case: only time between two written heartbeats counts.
 */
export class PublicationWatch {
  readonly #deps: PublicationWatchDeps;
  /** Reason why the newest block waits; `undefined` if none waits. */
  #reason: string | undefined;
  #waitedMs = 0;
  /** Time of the latest heartbeat if it was written; `undefined` if it failed or none was sent. */
  #heartbeatAtMs: number | undefined;
  #isHopeless = false;

  constructor(deps: PublicationWatchDeps) {
    this.#deps = deps;
  }

  /** Records that a block waits to be published, and why. */
  waiting(reason: string): void {
    this.#reason = reason;
  }

  /** Records that no block waits. */
  settled(): void {
    this.#reason = undefined;
    this.#waitedMs = 0;
  }

  heartbeat(isWritten: boolean): void {
    const { timer, publishTimeoutMs, onHopeless } = this.#deps;
    const nowMs = timer.nowMs();
    const beforeMs = this.#heartbeatAtMs;
    this.#heartbeatAtMs = isWritten ? nowMs : undefined;
    if (!isWritten || this.#reason === undefined) {
      this.#waitedMs = 0;
      return;
    }
    // Time during which this process was suspended does not count as waiting.
    if (beforeMs !== undefined) this.#waitedMs += Math.min(nowMs - beforeMs, 2 * HEARTBEAT_MS);
    if (this.#isHopeless || this.#waitedMs < publishTimeoutMs) return;
    this.#isHopeless = true;
    const seconds = Math.floor(this.#waitedMs / 1000);
    onHopeless(`a block could not be published for ${seconds} s: ${this.#reason}`);
  }
}
