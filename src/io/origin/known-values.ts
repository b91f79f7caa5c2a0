import { RecentMap } from "#base/primitives/index.ts";
import { OriginMissing } from "./missing.ts";
import { isLackOfNode, type OriginQuery, originQueryText } from "./query.ts";
import type { OriginChannel } from "./channel.ts";

/** A query with the value that the origin returned for it. */
export interface FetchedValue {
  readonly query: OriginQuery;
  /** `null`: the origin has no such value. */
  readonly value: Uint8Array | null;
}

/** Settings of {@link KnownValues}. */
export interface KnownValuesOptions {
  /** Approximate maximum bytes of all values together. */
  readonly maxBytes: number;
  /** Time after which values that may change are forgotten, in milliseconds: `l1Accepted`, unknown tokens. */
  readonly l1AcceptedMs: number;
  readonly nowMs: () => number;
}

/** Approximate memory of an entry besides its key and value, in bytes. */
const ENTRY_BYTES = 200;

interface Held {
  readonly value: Uint8Array | null;
  readonly untilMs: number;
}

/**
 * Channel over the values that a thread which never waits has been given. A read of another value
 * throws {@link OriginMissing}; the least recently used values are forgotten.
 */
export class KnownValues implements OriginChannel {
  readonly #options: KnownValuesOptions;
  readonly #values: RecentMap<string, Held>;

  constructor(options: KnownValuesOptions) {
    this.#options = options;
    this.#values = new RecentMap(
      options.maxBytes,
      ({ value }, key) => ENTRY_BYTES + key.length * 2 + (value?.byteLength ?? 0),
    );
  }

  /** @throws {OriginMissing} when the value was not given, or is forgotten */
  ask(query: OriginQuery, companions: readonly OriginQuery[] = []): Uint8Array | null {
    const held = this.find(query);
    if (held === undefined) throw new OriginMissing([query, ...companions]);
    return held.value;
  }

  /**
   * Requires several values that the caller is about to ask for, so that they are fetched together.
   *
   * @throws {OriginMissing} with all of them that are unknown
   */
  require(queries: readonly OriginQuery[]): void {
    const missing = queries.filter((query) => this.find(query) === undefined);
    if (missing.length > 0) throw new OriginMissing(missing);
  }

  /** Whether a value is known. */
  has(query: OriginQuery): boolean {
    return this.find(query) !== undefined;
  }

  /** Takes fetched values. */
  give(fetched: readonly FetchedValue[]): void {
    const { nowMs, l1AcceptedMs } = this.#options;
    for (const { query, value } of fetched) {
      const isBrief = query.kind === "l1Accepted" || isLackOfNode(query, value);
      const untilMs = isBrief ? nowMs() + l1AcceptedMs : Infinity;
      this.#values.set(originQueryText(query), { value, untilMs });
    }
  }

  /** Returns a value with its query; `undefined` if it is unknown. */
  find(query: OriginQuery): Pick<FetchedValue, "value"> | undefined {
    const held = this.#values.touch(originQueryText(query));
    return held === undefined || held.untilMs < this.#options.nowMs() ? undefined : held;
  }
}
