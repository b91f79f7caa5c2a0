/** Growth of resident memory since its minimum that triggers a collection. */
const GROWTH_BYTES: number = 128 << 20;

/** Resident memory below which collections are left to the runtime. */
const FEW_BYTES: number = 512 << 20;

/** Minimum work since a thread's last collection: with less, its heap is not the one that grows. */
const LEAST_WORK_MS = 50;

/**
 * Decides when a thread should collect garbage because the process's resident memory grows fast. By default
 * the runtime lets a heap double before it collects, in proportion to the machine's memory. Text for slow
 * clients would then occupy several times the bytes that are held for them.
 */
export class GarbageWatch {
  #lowestBytes = Infinity;
  #collectedAtMs = 0;

  /**
   * Decides whether the thread should collect now. Call it several times a second.
   *
   * @param residentBytes - of the process
   * @param workMs - processor time of the thread since its start
   */
  isDue(residentBytes: number, workMs: number): boolean {
    this.#lowestBytes = Math.min(this.#lowestBytes, residentBytes);
    if (residentBytes < FEW_BYTES || residentBytes - this.#lowestBytes < GROWTH_BYTES) return false;
    // The new minimum: memory that stays resident no longer counts as growth.
    this.#lowestBytes = residentBytes;
    if (workMs - this.#collectedAtMs < LEAST_WORK_MS) return false;
    this.#collectedAtMs = workMs;
    return true;
  }
}
