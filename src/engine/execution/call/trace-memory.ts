import { FeltBlock, type Felts } from "#kernels/vm/index.ts";

/** Bytes of a felt of a {@link FeltBlock}. */
const CELL_BYTES = 32;

/**
 * What the inner calls of one transaction were given and returned, as far as it is kept for a trace. It
 * is counted apart from what the memory rule counts: whether a trace is asked for changes nothing of
 * what a transaction does. Once something is not kept nothing more is: the trace cannot be told then.
 */
export class TraceMemory {
  readonly #maxBytes: number;
  #bytes = 0;
  #isExceeded = false;

  /** @param maxBytes - most bytes of felts that are kept */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Whether something was too large to be kept. */
  get isExceeded(): boolean {
    return this.#isExceeded;
  }

  /** @returns whether the felts are to be kept */
  keeps(felts: Felts): boolean {
    if (this.#isExceeded) return false;
    if (felts instanceof FeltBlock) this.#bytes += felts.length * CELL_BYTES;
    this.#isExceeded = this.#bytes > this.#maxBytes;
    return !this.#isExceeded;
  }
}
