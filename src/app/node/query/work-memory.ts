import { RecentMap } from "#base/primitives/index.ts";
import type { WorkKind } from "./work-kinds.ts";

/** Processor time above which a query counts as long, in milliseconds. */
export const SHORT_MS = 40;

/** Maximum remembered kinds, and as many single queries; the least recently used is evicted. */
const CAPACITY = 4_096;

/** Time after which a record without updates expires, in milliseconds. */
const MEMORY_MS = 10 * 60_000;

/** Expected time of an unknown query, in milliseconds. */
const UNKNOWN_MS = 10;

/** Predicted duration of a query: short if all recent ones of its kind were, otherwise unknown or long. */
export type Expectation = "short" | "unknown" | "long";

interface WorkRecord {
  /** Expected processor time: the maximum so far, moved halfway towards each shorter run. */
  readonly expectedMs: number;
  /** Time of the last long run; `undefined` if none. */
  readonly longAtMs: number | undefined;
  readonly atMs: number;
}

/**
 * Remembers how long queries took. One long run makes its kind long immediately; short ones make it short
 * again step by step. For a kind with long runs, single queries are remembered as well.
 */
export class WorkMemory {
  readonly #nowMs: () => number;
  readonly #kinds = new RecentMap<string, WorkRecord>(CAPACITY);
  readonly #exact = new RecentMap<string, WorkRecord>(CAPACITY);

  /** @param nowMs - monotonic clock */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Number of records. */
  get size(): number {
    return this.#kinds.size + this.#exact.size;
  }

  /** Predicts the duration of a query. */
  expect(work: WorkKind): Expectation {
    const record = this.#find(work);
    if (record === undefined) return "unknown";
    if (record.expectedMs > SHORT_MS) return "long";
    return this.#hadLong(record) ? "unknown" : "short";
  }

  /** Expected processor time of a query, in milliseconds. */
  expectedMs(work: WorkKind): number {
    return this.#find(work)?.expectedMs ?? UNKNOWN_MS;
  }

  /**
   * Records the duration of a query.
   *
   * @param isWhole - whether it completed: a cancelled one would have taken longer
   */
  note(work: WorkKind, tookMs: number, isWhole: boolean): void {
    const kind = this.#note(this.#kinds, work.kind, tookMs, isWhole);
    const isMixed = kind !== undefined && this.#hadLong(kind);
    if (work.exact !== "" && work.exact !== work.kind && isMixed) {
      this.#note(this.#exact, work.exact, tookMs, isWhole);
    }
  }

  #find({ kind, exact }: WorkKind): WorkRecord | undefined {
    return this.#fresh(this.#exact, exact) ?? this.#fresh(this.#kinds, kind);
  }

  #hadLong({ longAtMs }: WorkRecord): boolean {
    return longAtMs !== undefined && this.#nowMs() - longAtMs < MEMORY_MS;
  }

  #fresh(records: RecentMap<string, WorkRecord>, key: string): WorkRecord | undefined {
    const record = records.get(key);
    return record === undefined || this.#nowMs() - record.atMs >= MEMORY_MS ? undefined : record;
  }

  #note(
    records: RecentMap<string, WorkRecord>,
    key: string,
    tookMs: number,
    isWhole: boolean,
  ): WorkRecord | undefined {
    const atMs = this.#nowMs();
    const known = this.#fresh(records, key);
    const isLess = known !== undefined && tookMs < known.expectedMs;
    // A short time says nothing if the query was cancelled.
    if (isLess && !isWhole) return known;
    const expectedMs = isLess ? (known.expectedMs + tookMs) / 2 : tookMs;
    const longAtMs = tookMs > SHORT_MS ? atMs : known?.longAtMs;
    const record = { expectedMs, longAtMs, atMs };
    if (known === undefined && !isWhole && tookMs <= SHORT_MS) return undefined;
    records.set(key, record);
    return record;
  }
}
