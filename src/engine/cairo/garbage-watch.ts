import { edenGC, fullGC } from "bun:jsc";
import { RunGarbage, type RunGarbagePorts } from "./run-garbage.ts";

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
export interface GarbagePorts extends RunGarbagePorts {
  /** Memory of the process. */
  residentBytes(): number;
  /** Collects garbage before it returns, and gives its memory back. */
  collect(): void;
}

const SYSTEM: GarbagePorts = {
  nowMs: () => performance.now(),
  residentBytes: () => process.memoryUsage.rss(),
  collect: () => Bun.gc(true),
  collectYoung: edenGC,
  collectAll: fullGC,
};

/**
 * Collects garbage during long runs, between pieces of work, and each time that many short runs were
 * made. The engine takes the address space that a machine reserves for memory in use, several gigabytes,
 * and does not collect before as much garbage stands beside it: a call of 30 000 curve syscalls leaves
 * three gigabytes.
 */
export class GarbageWatch {
  readonly #ports: GarbagePorts;
  readonly #runs: RunGarbage;
  #looks = 0;
  #nextMs = 0;
  /** Collections have had their share of the time until then. */
  #restedMs = 0;
  /** Memory after the last collection, or the least since then. */
  #baseBytes = Number.POSITIVE_INFINITY;

  constructor(ports: GarbagePorts = SYSTEM) {
    this.#ports = ports;
    this.#runs = new RunGarbage(ports);
  }

  /** A run begins. */
  begin(): void {
    this.#runs.add();
    this.#nextMs = Math.max(this.#nextMs, this.#ports.nowMs() + LONG_RUN_MS);
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
