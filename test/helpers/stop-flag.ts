/** Measurements of a stop. */
export interface Stop<T> {
  readonly result: T;
  /**
   * Time from the flag to the end of the work; `undefined` if the work ended before the flag was
   * set.
   */
  readonly latencyMs: number | undefined;
  /** Processor time of the whole process during that time: independent of other processes. */
  readonly busyMs: number | undefined;
}

/** A thread that sets a flag while this one works. */
export class StopFlag {
  /** The flag at index 0. */
  readonly flag = new Int32Array(new SharedArrayBuffer(4));
  readonly #time = new Float64Array(new SharedArrayBuffer(16));
  readonly #worker = new Worker(new URL("./stop-flag.worker.ts", import.meta.url).href);

  /** Runs work during which the flag is set. */
  async during<T>(delayMs: number, work: () => T): Promise<Stop<T>> {
    this.#time[0] = 0;
    Atomics.store(this.flag, 0, 0);
    const armed = new Promise<void>((resolve) => {
      this.#worker.onmessage = () => resolve();
    });
    this.#worker.postMessage({ flag: this.flag, time: this.#time, delayMs });
    await armed;
    const result = work();
    const end = Date.now();
    const busy = busyMilliseconds();
    const set = this.#time[0] ?? 0;
    if (set === 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
    if (set === 0) return { result, latencyMs: undefined, busyMs: undefined };
    return { result, latencyMs: end - set, busyMs: busy - (this.#time[1] ?? 0) };
  }

  /** Terminates the thread. */
  close(): void {
    this.#worker.terminate();
  }
}

/** Processor time of the process so far. */
export function busyMilliseconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
