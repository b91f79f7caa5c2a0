import {
  BASE_HOST_BYTES,
  BASE_MEMORY_BYTES,
  type MemoryLimits,
  MemoryLimitReached,
  mebibytes,
} from "./memory-limit.ts";

/** How long a waiting run sleeps between two looks at its cancel flag. */
const LOOK_MS = 10;

/** Index of the number of free permits. */
const FREE = 0;

/**
 * Permits for runs that need much memory, for several threads: what each machine may take at most
 * times the number of machines would be more than the computer has.
 */
export function createMemoryPermits(count: number): Int32Array<SharedArrayBuffer> {
  return new Int32Array(new SharedArrayBuffer(4)).fill(count);
}

/**
 * What the runs of one machine may take of the process's memory. Without permits that is all of the
 * limits at any time: such a machine has a share of its own. With permits a run begins with a small
 * base, and waits for a permit when that is used up; it ends by its cancel flag or with all of the
 * limits, so that what comes out never depends on what other threads do.
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

  /** Bytes of cells that may be taken now. */
  get cellBytes(): number {
    return this.#hasAll
      ? this.limits.cellBytes
      : Math.min(BASE_MEMORY_BYTES, this.limits.cellBytes);
  }

  /** Bytes beside the cells that may be taken now. */
  get hostBytes(): number {
    return this.#hasAll ? this.limits.hostBytes : Math.min(BASE_HOST_BYTES, this.limits.hostBytes);
  }

  get #hasAll(): boolean {
    return this.#permits === undefined || this.#holds;
  }

  /** Notes what a phase holds beside its cells. */
  noteHost(bytes: number): void {
    if (bytes > this.#hostPeak) this.#hostPeak = bytes;
  }

  /** The most that was noted since the last time, 0 when that is little. */
  takeHostPeak(): number {
    const bytes = this.#hostPeak;
    this.#hostPeak = 0;
    return bytes > BASE_HOST_BYTES ? bytes : 0;
  }

  /** Waits for all of the limits. @returns false when they are had already, or the run is cancelled */
  raise(): boolean {
    const permits = this.#permits;
    if (permits === undefined || this.#holds) return false;
    for (;;) {
      if (this.#isCancelled()) return false;
      const free = Atomics.load(permits, FREE);
      if (free <= 0) {
        Atomics.wait(permits, FREE, free, LOOK_MS);
      } else if (Atomics.compareExchange(permits, FREE, free, free - 1) === free) {
        this.#holds = true;
        return true;
      }
    }
  }

  /** Gives the permit back, if there is one. */
  lower(): void {
    if (this.#permits === undefined || !this.#holds) return;
    this.#holds = false;
    Atomics.add(this.#permits, FREE, 1);
    Atomics.notify(this.#permits, FREE, 1);
  }
}

/** Counts what one phase holds beside its cells. */
export class HostMemory {
  readonly #share: MemoryShare;
  #used = 0;

  constructor(share: MemoryShare) {
    this.#share = share;
  }

  /** Bytes held. */
  get used(): number {
    return this.#used;
  }

  /** Whether `bytes` more are within the limit; for the end of a phase, when no permit is held. */
  fits(bytes: number): boolean {
    return this.#used + bytes <= this.#share.limits.hostBytes;
  }

  /**
   * Takes `bytes`, within a run of the machine: its end gives the permit back.
   *
   * @returns false when that is more than a phase may hold
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

  /** Gives `bytes` back. */
  give(bytes: number): void {
    this.#used -= bytes;
  }

  /** Why a transaction that needs more is not included. */
  problem(): string {
    const { cellBytes, hostBytes } = this.#share.limits;
    return (
      `The transaction needs more memory than this node gives to one: ${mebibytes(cellBytes)} MiB ` +
      `for the cells of its calls, ${mebibytes(hostBytes)} MiB for what its calls hand over and leave.`
    );
  }
}
