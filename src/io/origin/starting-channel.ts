import type { OriginChannel } from "./channel.ts";
import type { KnownValues } from "./known-values.ts";
import type { OriginQuery } from "./query.ts";

/**
 * Channel of a thread that waits for values only while it starts, before anybody waits for it. Afterwards it
 * throws `OriginMissing` for values that it does not know.
 */
export class StartingChannel implements OriginChannel {
  readonly #waiting: Pick<OriginChannel, "ask">;
  readonly #known: KnownValues;
  #isStarting = true;

  constructor(waiting: Pick<OriginChannel, "ask">, known: KnownValues) {
    this.#waiting = waiting;
    this.#known = known;
  }

  ask(query: OriginQuery, companions: readonly OriginQuery[] = []): Uint8Array | null {
    if (!this.#isStarting) return this.#known.ask(query, companions);
    const value = this.#waiting.ask(query, companions);
    this.#known.give([{ query, value }]);
    return value;
  }

  require(queries: readonly OriginQuery[]): void {
    if (!this.#isStarting) this.#known.require(queries);
  }

  /** Ends the start: no later read waits. */
  started(): void {
    this.#isStarting = false;
  }
}
