/** Processor time of the calling thread since its start, in milliseconds. */
export function threadProcessorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Processor time of all threads of this process, in milliseconds. */
export function processProcessorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Clocks of a thread, in milliseconds. */
export interface ThreadClocks {
  /** Processor time of the thread, as {@link threadProcessorMs}. The system call is slow. */
  processorMs(): number;
  /** Wall time from a monotonic clock, which is fast to read. */
  nowMs(): number;
}

/** Action after a query has used some processor time. */
export interface TimeAlarm {
  readonly afterMs: number;
  /** Called once, by {@link ProcessorTime.look}. */
  readonly ring: () => void;
}

/**
 * Measures the processor time of the current query. On a busy machine, a short query may take long in wall
 * time, but not in processor time.
 */
export class ProcessorTime {
  readonly #clocks: ThreadClocks;
  #startedMs = 0;
  /** Processor time at the last system call. */
  #askedMs = 0;
  /** Pending alarms, earliest first. */
  #alarms: readonly TimeAlarm[] = [];
  /** Wall time before which no alarm can be due: a thread's processor time never advances faster. */
  #lookAtMs = Number.POSITIVE_INFINITY;

  constructor(clocks: ThreadClocks) {
    this.#clocks = clocks;
  }

  /** Processor time of the current query, in milliseconds. */
  get spentMs(): number {
    this.#askedMs = this.#clocks.processorMs();
    return this.#askedMs - this.#startedMs;
  }

  /** Excludes the thread's work so far from the next query. */
  start(): void {
    this.#askedMs = this.#clocks.processorMs();
  }

  /**
   * Starts measuring the next query. Call {@link start} before it, or read {@link spentMs} of the previous
   * query.
   *
   * @param alarms - earliest first
   */
  begin(alarms: readonly TimeAlarm[]): void {
    this.#startedMs = this.#askedMs;
    this.#alarms = alarms;
    this.#expect(this.#clocks.nowMs(), 0);
  }

  /** Rings due alarms. Call it every few milliseconds of work. */
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
