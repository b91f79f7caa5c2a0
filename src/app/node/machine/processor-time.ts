/** Processor time that the calling thread has used since it began, in milliseconds. */
export function threadProcessorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** The clocks of a thread, in milliseconds. */
export interface ThreadClocks {
  /** What the thread has used of a processor, as {@link threadProcessorMs}. Asking the system takes a while. */
  processorMs(): number;
  /** A clock that runs on whether the thread works or waits, and is read at once. */
  nowMs(): number;
}

/**
 * The processor time of the query at hand: on a busy machine a short one takes long by any clock, but
 * no more of this.
 */
export class ProcessorTime {
  readonly #clocks: ThreadClocks;
  #startedMs = 0;
  #limitMs = Number.POSITIVE_INFINITY;
  /** By the other clock: before it the limit cannot have been passed, as no thread works faster than time goes. */
  #lookAtMs = Number.POSITIVE_INFINITY;
  #onOver: () => void = () => undefined;

  constructor(clocks: ThreadClocks) {
    this.#clocks = clocks;
  }

  /** What the query at hand has used, in milliseconds. */
  get spentMs(): number {
    return this.#clocks.processorMs() - this.#startedMs;
  }

  /**
   * The next query begins.
   *
   * @param onOver - called once, by {@link look}, when the query has used more than `limitMs`
   */
  begin(limitMs: number, onOver: () => void): void {
    this.#startedMs = this.#clocks.processorMs();
    this.#lookAtMs = this.#clocks.nowMs() + limitMs;
    this.#limitMs = limitMs;
    this.#onOver = onOver;
  }

  /** To be called every few milliseconds of work. */
  look(): void {
    const nowMs = this.#clocks.nowMs();
    if (nowMs < this.#lookAtMs) return;
    const { spentMs } = this;
    if (spentMs <= this.#limitMs) {
      this.#lookAtMs = nowMs + this.#limitMs - spentMs;
      return;
    }
    this.#lookAtMs = Number.POSITIVE_INFINITY;
    this.#onOver();
  }
}
