const MIB = 2 ** 20;

/** Index of the MiB that machines keep. */
const KEPT = 0;

/** Counts what idle machines of several threads keep together, see {@link KeptMemory}. */
export function createKeptMemory(): Int32Array<SharedArrayBuffer> {
  return new Int32Array(new SharedArrayBuffer(4));
}

/**
 * What one machine keeps of the memory that all machines of the process may keep between their runs.
 * A machine that gets no more of it gives back what it took.
 */
export class KeptMemory {
  readonly #kept: Int32Array;
  readonly #limitMib: number;
  #mib = 0;

  /** @param limitBytes - of all machines that share `kept` */
  constructor(kept: Int32Array, limitBytes: number) {
    this.#kept = kept;
    this.#limitMib = Math.floor(limitBytes / MIB);
  }

  /** Keeps `bytes` from now on in place of what was kept before. @returns false when that is too much */
  keep(bytes: number): boolean {
    const mib = Math.ceil(bytes / MIB);
    const others = Atomics.add(this.#kept, KEPT, mib - this.#mib) - this.#mib;
    if (mib > this.#mib && others + mib > this.#limitMib) {
      Atomics.sub(this.#kept, KEPT, mib - this.#mib);
      return false;
    }
    this.#mib = mib;
    return true;
  }
}
