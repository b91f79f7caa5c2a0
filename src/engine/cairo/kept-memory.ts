const MIB = 2 ** 20;

/** Index of the counter, in MiB. */
const KEPT = 0;

/**
 * Creates the shared counter of memory kept by the idle machines of several threads, see {@link RetainedMemory}.
 */
export function createRetainedMemory(): Int32Array<SharedArrayBuffer> {
  return new Int32Array(new SharedArrayBuffer(4));
}

/**
 * One machine's part of the memory that all machines of the process may keep between runs. A machine whose
 * request is refused must release its memory.
 */
export class RetainedMemory {
  readonly #kept: Int32Array;
  readonly #limitMib: number;
  #mib = 0;

  /** @param limitBytes - for all machines that share `kept` */
  constructor(kept: Int32Array, limitBytes: number) {
    this.#kept = kept;
    this.#limitMib = Math.floor(limitBytes / MIB);
  }

  /** Replaces the machine's kept amount with `bytes`. @returns false when that would exceed the limit */
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
