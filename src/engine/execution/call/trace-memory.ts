import { FeltBlock, FeltPool, type Felts } from "#kernels/vm/index.ts";

/** Shorter lists are not shared: finding common parts would cost more than it saves. */
const MIN_SHARED_FELTS = 64;

/**
 * Stores the inputs and outputs of a transaction's inner calls for a trace. Common parts of lists are stored
 * once: gas bounds what a transaction can write, but not how often its calls pass it on.
 *
 * This memory is counted separately from {@link MemoryLimits}, so that requesting a trace never changes a
 * transaction's result. After the first list that exceeds the limit nothing more is stored, and no trace can
 * be built.
 */
export class TraceMemory {
  /** Maximum size of the stored felts. */
  readonly maxBytes: number;
  readonly #pool = new FeltPool();
  #ownBytes = 0;
  #isExceeded = false;

  /** @param maxBytes - maximum size of the stored felts */
  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  get isExceeded(): boolean {
    return this.#isExceeded;
  }

  get sizeBytes(): number {
    return this.#pool.sizeBytes + this.#ownBytes;
  }

  /** Stores felts compactly. @returns false if the limit is exceeded and they are not kept */
  keeps(felts: Felts): boolean {
    if (this.#isExceeded) return false;
    if (felts instanceof FeltBlock) {
      if (felts.length >= MIN_SHARED_FELTS) felts.share(this.#pool);
      this.#ownBytes += felts.sizeBytes;
    }
    this.#isExceeded = this.sizeBytes > this.maxBytes;
    return !this.#isExceeded;
  }
}
