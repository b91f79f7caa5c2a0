import type { Timer } from "#base/primitives/index.ts";
import type { SyncMetrics } from "#base/metrics/index.ts";

/** Measures the time between imported blocks. */
export class SyncTimes {
  readonly #metrics: Pick<SyncMetrics, "seconds" | "averageSeconds" | "latestSeconds">;
  readonly #timer: Pick<Timer, "nowMs">;
  readonly #startedMs: number;
  #latestMs: number;
  #blocks = 0;

  constructor(
    metrics: Pick<SyncMetrics, "seconds" | "averageSeconds" | "latestSeconds">,
    timer: Pick<Timer, "nowMs">,
  ) {
    this.#metrics = metrics;
    this.#timer = timer;
    this.#startedMs = this.#latestMs = timer.nowMs();
  }

  /** Records a stored block. */
  imported(): void {
    const nowMs = this.#timer.nowMs();
    const { seconds, averageSeconds, latestSeconds } = this.#metrics;
    const total = (nowMs - this.#startedMs) / 1000;
    this.#blocks++;
    seconds.set(total);
    averageSeconds.set(total / this.#blocks);
    latestSeconds.set((nowMs - this.#latestMs) / 1000);
    this.#latestMs = nowMs;
  }
}
