/** Quantile `part` (0 to 1) of the values; 0 for no values. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.floor((sorted.length - 1) * part)] ?? 0;
}

/**
 * Runs a function many times, after a tenth of that as a warm-up. @returns microseconds of each run
 */
export async function timesOf(
  runs: number,
  run: (i: number) => unknown,
): Promise<readonly number[]> {
  for (let i = 0; i < runs / 10; i++) await run(i);
  const times: number[] = [];
  for (let i = 0; i < runs; i++) {
    const startedMs = performance.now();
    const result = run(i);
    if (result instanceof Promise) await result;
    times.push((performance.now() - startedMs) * 1000);
  }
  return times;
}

/** `p50 / p99` of microseconds. */
export function printed(times: readonly number[]): string {
  return `${quantile(times, 0.5).toFixed(1).padStart(8)} / ${quantile(times, 0.99).toFixed(1).padStart(8)}`;
}
