import { FeltBlock, FeltPool, type Felts } from "#kernels/vm/index.ts";

/** Shorter lists stay as they are: looking for what they have in common costs more than it saves. */
const MIN_SHARED_FELTS = 64;

/**
 * What the inner calls of one transaction were given and returned, kept for a trace. What lists have in
 * common is kept once: the gas of a transaction bounds what it can write, but not how often its calls
 * hand that to each other. It is counted apart from what the memory rule counts: whether a trace is
 * asked for changes nothing of what a transaction does. Once something is not kept nothing more is: the
 * trace cannot be told then.
 */
export class TraceMemory {
  readonly #maxBytes: number;
  readonly #pool = new FeltPool();
  #ownBytes = 0;
  #isExceeded = false;

  /** @param maxBytes - most bytes of felts that are kept */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Whether something was too large to be kept. */
  get isExceeded(): boolean {
    return this.#isExceeded;
  }

  /** Bytes that the kept felts take. */
  get sizeBytes(): number {
    return this.#pool.sizeBytes + this.#ownBytes;
  }

  /** Keeps felts in little room. @returns false: they are not kept */
  keeps(felts: Felts): boolean {
    if (this.#isExceeded) return false;
    if (felts instanceof FeltBlock) {
      if (felts.length >= MIN_SHARED_FELTS) felts.share(this.#pool);
      this.#ownBytes += felts.sizeBytes;
    }
    this.#isExceeded = this.sizeBytes > this.#maxBytes;
    return !this.#isExceeded;
  }
}
