import { edenGC, fullGC } from "bun:jsc";
import { RunGarbage, type RunGarbagePorts } from "./run-garbage.ts";

/** Calls of {@link GarbageWatch.look} per clock read. */
const LOOKS = 256;
/** Runs longer than this are collected while they run. */
const LONG_RUN_MS = 300;
/** Interval between checks of the resident memory. */
const INTERVAL_MS = 100;
/** Growth of the process's memory that triggers a collection. */
const GROWTH_BYTES = 128 * 2 ** 20;
/**
 * Growth that triggers a collection between pieces of work even if collections take more than their share of
 * the time.
 */
const URGENT_BYTES = 4 * GROWTH_BYTES;
/** Minimum ratio of the time until the next collection to the duration of the last one. */
const SHARE = 4;

/** Dependencies of {@link GarbageWatch}; replaced in tests. */
export interface GarbagePorts extends RunGarbagePorts {
  residentBytes(): number;
  /** Collects all garbage synchronously and returns its memory to the system. */
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
 * Collects garbage during long runs, between pieces of work, and after every batch of short runs. The
 * JavaScript engine counts the address space that a machine reserves, several gigabytes, as memory in use,
 * and does not collect before the garbage reaches that order: a call with 30 000 curve syscalls leaves three
 * gigabytes.
 */
export class GarbageWatch {
  readonly #ports: GarbagePorts;
  readonly #runs: RunGarbage;
  #looks = 0;
  #nextMs = 0;
  /** Earliest time of the next collection that is not urgent, see {@link SHARE}. */
  #restedMs = 0;
  /** Resident memory after the last collection, or the minimum since then. */
  #baseBytes = Number.POSITIVE_INFINITY;

  constructor(ports: GarbagePorts = SYSTEM) {
    this.#ports = ports;
    this.#runs = new RunGarbage(ports);
  }

  begin(): void {
    this.#runs.add();
    this.#nextMs = Math.max(this.#nextMs, this.#ports.nowMs() + LONG_RUN_MS);
  }

  /** Cheap check for hot paths: nearly always only increments a counter. */
  look(): void {
    if (++this.#looks % LOOKS === 0) this.#look(Number.POSITIVE_INFINITY);
  }

  /** Check for use between pieces of work that create garbage without a run. */
  lookNow(): void {
    this.#look(URGENT_BYTES);
  }

  /** @param urgentBytes - growth that is collected even before the next collection is due */
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
