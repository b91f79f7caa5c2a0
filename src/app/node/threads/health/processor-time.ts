/** Processor time that the calling thread has used since it began, in milliseconds. */
export function threadProcessorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Processor time that all threads of this process have used, in milliseconds. */
export function processProcessorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The clocks of a thread, in milliseconds. */
export interface ThreadClocks {
  /** What the thread has used of a processor, as {@link threadProcessorMs}. Asking the system takes a while. */
  processorMs(): number;
  /** A clock that runs on whether the thread works or waits, and is read at once. */
  nowMs(): number;
}

/** What is to happen when a query has used more than so much processor time. */
export interface TimeAlarm {
  readonly afterMs: number;
  /** Called once, by {@link ProcessorTime.look}. */
  readonly ring: () => void;
}

/**
 * The processor time of the query at hand: on a busy machine a short one takes long by any clock, but
 * no more of this.
 */
export class ProcessorTime {
  readonly #clocks: ThreadClocks;
  #startedMs = 0;
  /** When the system was asked last. */
  #askedMs = 0;
  /** Those that have not rung, the earliest first. */
  #alarms: readonly TimeAlarm[] = [];
  /** By the other clock: before it none is due, as no thread works faster than time goes. */
  #lookAtMs = Number.POSITIVE_INFINITY;

  constructor(clocks: ThreadClocks) {
    this.#clocks = clocks;
  }

  /** What the query at hand has used, in milliseconds. */
  get spentMs(): number {
    this.#askedMs = this.#clocks.processorMs();
    return this.#askedMs - this.#startedMs;
  }

  /** Queries come: what the thread has used before is not theirs. */
  start(): void {
    this.#askedMs = this.#clocks.processorMs();
  }

  /**
   * The next query begins, with {@link start} or when {@link spentMs} was read of the one before it.
   *
   * @param alarms - the earliest first
   */
  begin(alarms: readonly TimeAlarm[]): void {
    this.#startedMs = this.#askedMs;
    this.#alarms = alarms;
    this.#expect(this.#clocks.nowMs(), 0);
  }

  /** To be called every few milliseconds of work. */
  look(): void {
    const nowMs = this.#clocks.nowMs();
    if (nowMs < this.#lookAtMs) return;
    const { spentMs } = this;
    const due = this.#alarms.filter(({ afterMs }) => spentMs > afterMs);
    this.#alarms = this.#alarms.slice(due.length);
    this.#expect(nowMs, spentMs);
    for (const { ring } of due) ring();
  }

  #expect(nowMs: number, spentMs: number): void {
    const [next] = this.#alarms;
    this.#lookAtMs = nowMs + (next?.afterMs ?? Number.POSITIVE_INFINITY) - spentMs;
  }
}
