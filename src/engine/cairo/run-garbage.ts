/** Short runs per minor collection: some ten megabytes, collected in a millisecond. */
const YOUNG_RUNS = 256;
/** Minimum runs between full collections: a few kilobytes of each run survive the minor ones. */
const ALL_RUNS = 4096;
/** Minimum ratio of the time between full collections to the duration of one. */
const ALL_SHARE = 50;

/** Dependencies of {@link RunGarbage}; replaced in tests. */
export interface RunGarbagePorts {
  /** Monotonic clock. */
  nowMs(): number;
  /** Collects objects created since the last collection; their memory is reused. */
  collectYoung(): void;
  /** Collects all garbage; its memory is reused. */
  collectAll(): void;
}

/**
 * Collects the garbage of short runs. Transactions are validated and executed all the time. The JavaScript
 * engine counts a machine's address space as memory in use, and would keep the garbage of a hundred thousand
 * runs.
 */
export class RunGarbage {
  readonly #ports: RunGarbagePorts;
  #young = 0;
  #all = 0;
  #restedMs = 0;

  constructor(ports: RunGarbagePorts) {
    this.#ports = ports;
  }

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
