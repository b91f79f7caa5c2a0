import { RecentMap } from "#base/primitives/index.ts";
import type { WorkKind } from "./work-kinds.ts";

/** A query that needs more processor time than this is a long one, in milliseconds. */
export const SHORT_MS = 40;

/** Kinds that are remembered, and as many single queries; the one not heard of for longest goes first. */
const CAPACITY = 4_096;

/** What was not heard of for this long is not known any more. */
const MEMORY_MS = 10 * 60_000;

/** What is counted for a query of which nothing is known, in milliseconds. */
const UNKNOWN_MS = 10;

/**
 * What is known of a query beforehand: it is short as all of its kind were lately, there is no telling,
 * or it is long.
 */
export type Expectation = "short" | "unknown" | "long";

interface WorkRecord {
  /** Processor time that is to be expected: the most, halved by each query that takes less. */
  readonly expectedMs: number;
  /** When one was long; `undefined` when none was. */
  readonly longAtMs: number | undefined;
  readonly atMs: number;
}

/**
 * How long queries took. A long one makes its kind long at once, short ones make it short again step
 * by step. Where a kind has long ones, single queries are told apart.
 */
export class WorkMemory {
  readonly #nowMs: () => number;
  readonly #kinds = new RecentMap<string, WorkRecord>(CAPACITY);
  readonly #exact = new RecentMap<string, WorkRecord>(CAPACITY);

  /** @param nowMs - a clock that never goes back */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** How many records are kept. */
  get size(): number {
    return this.#kinds.size + this.#exact.size;
  }

  /** What is known of a query. */
  expect(work: WorkKind): Expectation {
    const record = this.#find(work);
    if (record === undefined) return "unknown";
    if (record.expectedMs > SHORT_MS) return "long";
    return this.#hadLong(record) ? "unknown" : "short";
  }

  /** The processor time that a query is expected to take, in milliseconds. */
  expectedMs(work: WorkKind): number {
    return this.#find(work)?.expectedMs ?? UNKNOWN_MS;
  }

  /**
   * Notes what a query took.
   *
   * @param isWhole - it came to its end: otherwise it would have taken longer
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
    // What was ended early says nothing when it took less.
    if (isLess && !isWhole) return known;
    const expectedMs = isLess ? (known.expectedMs + tookMs) / 2 : tookMs;
    const longAtMs = tookMs > SHORT_MS ? atMs : known?.longAtMs;
    const record = { expectedMs, longAtMs, atMs };
    if (known === undefined && !isWhole && tookMs <= SHORT_MS) return undefined;
    records.set(key, record);
    return record;
  }
}
