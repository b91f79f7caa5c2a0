import {
  BASE_HOST_BYTES,
  BASE_MEMORY_BYTES,
  type MemoryLimits,
  MemoryLimitReached,
  mebibytes,
} from "./memory-limit.ts";

/** Interval at which a waiting run checks its cancel flag. */
const POLL_MS = 10;

/** Index of the counter of free permits. */
const FREE = 0;

/**
 * Creates permits for runs that need much memory, shared by several threads: the maximum of one machine times
 * the number of machines would exceed the host's memory.
 */
export function createMemoryPermits(count: number): Int32Array<SharedArrayBuffer> {
  return new Int32Array(new SharedArrayBuffer(4)).fill(count);
}

/**
 * Part of the process's memory that the runs of one machine may take. Without permits, the full limits apply
 * at any time. With permits, a run starts with a small base and waits for a permit when that is exhausted. It
 * then gets the full limits, unless it is cancelled, so the result never depends on other threads.
 */
export class MemoryShare {
  readonly limits: MemoryLimits;
  readonly #permits: Int32Array | undefined;
  readonly #isCancelled: () => boolean;
  #holds = false;
  #hostPeak = 0;

  constructor(limits: MemoryLimits, permits: Int32Array | undefined, isCancelled: () => boolean) {
    this.limits = limits;
    this.#permits = permits;
    this.#isCancelled = isCancelled;
  }

  /** Cell memory that may be taken now, in bytes. */
  get cellBytes(): number {
    return this.#hasAll
      ? this.limits.cellBytes
      : Math.min(BASE_MEMORY_BYTES, this.limits.cellBytes);
  }

  /** Memory outside the cells that may be taken now, in bytes. */
  get hostBytes(): number {
    return this.#hasAll ? this.limits.hostBytes : Math.min(BASE_HOST_BYTES, this.limits.hostBytes);
  }

  get #hasAll(): boolean {
    return this.#permits === undefined || this.#holds;
  }

  /** Records how much a phase holds outside its cells. */
  noteHost(bytes: number): void {
    if (bytes > this.#hostPeak) this.#hostPeak = bytes;
  }

  /** Returns and resets the recorded maximum; 0 when it is within the base. */
  takeHostPeak(): number {
    const bytes = this.#hostPeak;
    this.#hostPeak = 0;
    return bytes > BASE_HOST_BYTES ? bytes : 0;
  }

  /**
   * Waits for a permit and with it the full limits. @returns false when they already apply, or the run is
   * cancelled
   */
  raise(): boolean {
    const permits = this.#permits;
    if (permits === undefined || this.#holds) return false;
    for (;;) {
      if (this.#isCancelled()) return false;
      const free = Atomics.load(permits, FREE);
      if (free <= 0) {
        Atomics.wait(permits, FREE, free, POLL_MS);
      } else if (Atomics.compareExchange(permits, FREE, free, free - 1) === free) {
        this.#holds = true;
        return true;
      }
    }
  }

  /** Releases the permit; no effect if none is held. */
  lower(): void {
    if (this.#permits === undefined || !this.#holds) return;
    this.#holds = false;
    Atomics.add(this.#permits, FREE, 1);
    Atomics.notify(this.#permits, FREE, 1);
  }
}

/** Counts the memory that one phase holds outside its cells. */
export class HostMemory {
  readonly #share: MemoryShare;
  #used = 0;

  constructor(share: MemoryShare) {
    this.#share = share;
  }

  get used(): number {
    return this.#used;
  }

  /** Whether `bytes` more are within the limit; for the end of a phase, when no permit is held. */
  fits(bytes: number): boolean {
    return this.#used + bytes <= this.#share.limits.hostBytes;
  }

  /**
   * Takes `bytes`. Call it only within a run of the machine, whose end returns the permit.
   *
   * @returns false when that would exceed the phase's limit
   */
  tryTake(bytes: number): boolean {
    const used = this.#used + bytes;
    if (used > this.#share.hostBytes) {
      if (used > this.#share.limits.hostBytes || !this.#share.raise()) return false;
    }
    this.#share.noteHost(used);
    this.#used = used;
    return true;
  }

  /** Takes `bytes`. @throws {MemoryLimitReached} in a syscall, which ends the run */
  take(bytes: number): void {
    if (!this.tryTake(bytes)) throw new MemoryLimitReached();
  }

  give(bytes: number): void {
    this.#used -= bytes;
  }

  /** Error text for a transaction that exceeds the limits. */
  problem(): string {
    const { cellBytes, hostBytes } = this.#share.limits;
    return (
      `The transaction exceeds the memory limits of this node: ${mebibytes(cellBytes)} MiB ` +
      `for the cells of its calls, ${mebibytes(hostBytes)} MiB for the data that they pass on and leave behind.`
    );
  }
}
