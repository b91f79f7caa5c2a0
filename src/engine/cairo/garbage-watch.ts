import { fullGC } from "bun:jsc";

/** Short runs whose leavings are collected together, at least. */
const RUNS = 2048;
/** Between two collections of them is at least so many times the time that the first one took. */
const RUNS_SHARE = 50;
/** Looks between two that ask for the time. */
const LOOKS = 256;
/** A run is long from then on: what short ones leave behind is collected in between. */
const LONG_RUN_MS = 300;
/** Time between two looks at the memory. */
const INTERVAL_MS = 100;
/** Growth of the process that is worth a collection. */
const GROWTH_BYTES = 128 * 2 ** 20;
/** Growth that is collected between pieces of work however long collections take. */
const URGENT_BYTES = 4 * GROWTH_BYTES;
/** The time until the next collection is at least so many times that of the last one. */
const SHARE = 4;

/** What a watch needs of its surroundings; replaced in tests. */
export interface GarbagePorts {
  nowMs(): number;
  /** Memory of the process. */
  residentBytes(): number;
  /** Collects garbage before it returns, and gives its memory back. */
  collect(): void;
  /** Collects garbage before it returns; its memory is used again. */
  collectObjects(): void;
}

const SYSTEM: GarbagePorts = {
  nowMs: () => performance.now(),
  residentBytes: () => process.memoryUsage.rss(),
  collect: () => Bun.gc(true),
  collectObjects: fullGC,
};

/**
 * Collects garbage during long runs, between pieces of work, and each time that many short runs were
 * made. The engine takes the address space that a machine reserves for memory in use, several gigabytes,
 * and does not collect before as much garbage stands beside it: a call of 30 000 curve syscalls leaves
 * three gigabytes. Of what outlives the collections of young objects nothing would ever go: a thousand
 * transfers leave some ten megabytes, and finding them takes ten milliseconds.
 */
export class GarbageWatch {
  readonly #ports: GarbagePorts;
  #looks = 0;
  #runs = 0;
  #runsRestedMs = 0;
  #nextMs = 0;
  /** Collections have had their share of the time until then. */
  #restedMs = 0;
  /** Memory after the last collection, or the least since then. */
  #baseBytes = Number.POSITIVE_INFINITY;

  constructor(ports: GarbagePorts = SYSTEM) {
    this.#ports = ports;
  }

  /** A run begins. */
  begin(): void {
    if (++this.#runs >= RUNS) this.#collectObjects();
    this.#nextMs = Math.max(this.#nextMs, this.#ports.nowMs() + LONG_RUN_MS);
  }

  #collectObjects(): void {
    const { nowMs, collectObjects } = this.#ports;
    const startMs = nowMs();
    if (startMs < this.#runsRestedMs) return;
    collectObjects();
    const endMs = nowMs();
    this.#runs = 0;
    this.#runsRestedMs = endMs + RUNS_SHARE * (endMs - startMs);
  }

  /** To be called often: costs nothing nearly always. */
  look(): void {
    if (++this.#looks % LOOKS === 0) this.#look(Number.POSITIVE_INFINITY);
  }

  /** To be called between two pieces of work that leave garbage behind without a run. */
  lookNow(): void {
    this.#look(URGENT_BYTES);
  }

  /** @param urgentBytes - growth that does not wait for a collection's share of the time */
  #look(urgentBytes: number): void {
    const { nowMs, residentBytes, collect } = this.#ports;
    const now = nowMs();
    if (now < this.#nextMs) return;
    this.#nextMs = now + INTERVAL_MS;
    const bytes = residentBytes();
    this.#baseBytes = Math.min(this.#baseBytes, bytes);
    const growth = bytes - this.#baseBytes;
    if (growth < GROWTH_BYTES || (now < this.#restedMs && growth < urgentBytes)) return;
    collect();
    const end = nowMs();
    this.#nextMs = end + INTERVAL_MS;
    this.#restedMs = end + SHARE * (end - now);
    this.#baseBytes = residentBytes();
  }
}
