/** Processor time that the calling thread has used since it began, in milliseconds. */
export function threadProcessorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/**
 * The processor time of the query at hand: on a busy machine a short one takes long by any clock, but
 * no more of this.
 */
export class ProcessorTime {
  readonly #nowMs: () => number;
  #startedMs = 0;
  #limitMs = Number.POSITIVE_INFINITY;
  #onOver: () => void = () => undefined;

  /** @param nowMs - of the thread, as {@link threadProcessorMs} */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** What the query at hand has used, in milliseconds. */
  get spentMs(): number {
    return this.#nowMs() - this.#startedMs;
  }

  /**
   * The next query begins.
   *
   * @param onOver - called once, by {@link look}, when the query has used more than `limitMs`
   */
  begin(limitMs: number, onOver: () => void): void {
    this.#startedMs = this.#nowMs();
    this.#limitMs = limitMs;
    this.#onOver = onOver;
  }

  /** To be called every few milliseconds of work. */
  look(): void {
    if (this.spentMs <= this.#limitMs) return;
    this.#limitMs = Number.POSITIVE_INFINITY;
    this.#onOver();
  }
}
