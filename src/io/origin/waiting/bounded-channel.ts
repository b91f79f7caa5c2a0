import type { OriginChannel } from "../channel.ts";
import type { KnownValues } from "../known-values.ts";
import { OriginMissing } from "../missing.ts";
import type { OriginQuery } from "../query.ts";

/** Dependencies of {@link BoundedChannel}. */
export interface BoundedChannelDeps {
  /** Values that the thread has been given. */
  readonly known: KnownValues;
  /**
   * Creates the channel that waits.
   *
   * @param isStopped - whether the wait must end; checked every few milliseconds
   */
  readonly channelOf: (isStopped: () => boolean) => OriginChannel;
  /** Whether the work that needs the value must end. */
  readonly isStopped: () => boolean;
  readonly nowMs: () => number;
  /** Time that one run may wait, in milliseconds. */
  readonly waitMs: number;
  /** Time after a wait in vain for which runs wait only for values that arrive immediately, in milliseconds. */
  readonly pauseMs: number;
}

/**
 * Waits for values, but only briefly in each run: a value that arrives later is missing, so that the run ends
 * and the thread continues with other work while the value is fetched.
 */
export class BoundedChannel implements OriginChannel {
  readonly #deps: BoundedChannelDeps;
  readonly #channel: OriginChannel;
  #leftMs = 0;
  #endsAtMs = 0;
  #pausedUntilMs = 0;

  constructor(deps: BoundedChannelDeps) {
    this.#deps = deps;
    this.#channel = deps.channelOf(() => deps.isStopped() || this.#isOver());
  }

  /** Starts a run. */
  begin(): void {
    const { nowMs, waitMs } = this.#deps;
    this.#leftMs = nowMs() < this.#pausedUntilMs ? 0 : waitMs;
  }

  /** @throws {OriginMissing} when the value does not arrive in the time that is left for the run */
  ask(query: OriginQuery, companions: readonly OriginQuery[] = []): Uint8Array | null {
    const { known, nowMs, isStopped, pauseMs } = this.#deps;
    const held = known.find(query);
    if (held !== undefined) return held.value;
    const startedAtMs = nowMs();
    this.#endsAtMs = startedAtMs + Math.max(0, this.#leftMs);
    try {
      return this.#channel.ask(query, companions);
    } catch (thrown) {
      if (isStopped() || !this.#isOver()) throw thrown;
      this.#pausedUntilMs = nowMs() + pauseMs;
      throw new OriginMissing([query]);
    } finally {
      this.#leftMs -= nowMs() - startedAtMs;
    }
  }

  require(queries: readonly OriginQuery[]): void {
    this.#channel.require(queries);
  }

  #isOver(): boolean {
    return this.#deps.nowMs() >= this.#endsAtMs;
  }
}
