/** Runs whose leavings are collected together: some ten megabytes, in a millisecond. */
const YOUNG_RUNS = 256;
/** Runs after which everything is looked at, at least: a few kilobytes of each have outlived the rest. */
const ALL_RUNS = 4096;
/** From a collection of everything to the next one it takes at least so many times as long. */
const ALL_SHARE = 50;

/** What the collector of short runs' leavings needs of its surroundings; replaced in tests. */
export interface RunGarbagePorts {
  /** A clock that never goes back. */
  nowMs(): number;
  /** Collects what was made since the last collection; the memory is used again. */
  collectYoung(): void;
  /** Collects all garbage; the memory is used again. */
  collectAll(): void;
}

/**
 * Collects what short runs leave behind. Transactions are validated and executed all the time, and the
 * engine, which counts a machine's address space as memory in use, would let the leavings of a hundred
 * thousand stand.
 */
export class RunGarbage {
  readonly #ports: RunGarbagePorts;
  #young = 0;
  #all = 0;
  #restedMs = 0;

  constructor(ports: RunGarbagePorts) {
    this.#ports = ports;
  }

  /** A run begins. */
  add(): void {
    this.#all++;
    if (++this.#young < YOUNG_RUNS) return;
    this.#young = 0;
    const { nowMs, collectYoung, collectAll } = this.#ports;
    const startMs = nowMs();
    if (this.#all < ALL_RUNS || startMs < this.#restedMs) {
      collectYoung();
      return;
    }
    this.#all = 0;
    collectAll();
    const endMs = nowMs();
    this.#restedMs = endMs + ALL_SHARE * (endMs - startMs);
  }
}
