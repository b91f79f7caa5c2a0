/** Growth of resident memory since its lowest value that makes a collection worthwhile. */
const GROWTH_BYTES: number = 192 << 20;

/** Below so much resident memory the runtime collects when it likes. */
const FEW_BYTES: number = 512 << 20;

/** A thread that has worked less since its last collection is not the one whose memory grows. */
const LEAST_WORK_MS = 50;

/**
 * Tells when a thread of a process whose resident memory grows fast should collect garbage. The runtime lets a
 * heap double before it collects, by the memory of the whole machine: text for clients that do not read it would
 * take several times the bytes that are held for them.
 */
export class GarbageWatch {
  #lowestBytes = Infinity;
  #collectedAtMs = 0;

  /**
   * Decides whether the thread should collect now. Its owner calls this several times a second.
   *
   * @param residentBytes - of the process
   * @param workMs - processor time that the thread has used since it began
   */
  isDue(residentBytes: number, workMs: number): boolean {
    this.#lowestBytes = Math.min(this.#lowestBytes, residentBytes);
    if (residentBytes < FEW_BYTES || residentBytes - this.#lowestBytes < GROWTH_BYTES) return false;
    // Memory that stays resident counts from here on; where some is returned, from the lower value.
    this.#lowestBytes = residentBytes;
    if (workMs - this.#collectedAtMs < LEAST_WORK_MS) return false;
    this.#collectedAtMs = workMs;
    return true;
  }
}
