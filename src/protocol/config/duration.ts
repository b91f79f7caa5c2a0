const UNITS_MS = { ms: 1, s: 1000, min: 60_000, h: 3_600_000 } as const;
const DURATION = /^(\d{1,15}) ?(ms|s|min|h)$/;

/** Form of a duration, for messages. */
export const DURATION_FORM = "duration such as 500ms, 30s, 5min or 1h";

/**
 * Parses a duration: an integer and one of `ms`, `s`, `min`, `h`, with at most one space between.
 *
 * @returns milliseconds, or `undefined` when the text has another form or exceeds 2^53 ms
 */
export function parseDurationMs(text: string): number | undefined {
  const match = DURATION.exec(text);
  if (match === null) return undefined;
  const [, count = "", unit = ""] = match;
  const durationMs = Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS];
  return Number.isSafeInteger(durationMs) ? durationMs : undefined;
}

/** Formats milliseconds in the largest unit that gives an integer. */
export function formatDurationMs(durationMs: number): string {
  for (const unit of ["h", "min", "s"] as const) {
    if (durationMs > 0 && durationMs % UNITS_MS[unit] === 0) {
      return `${durationMs / UNITS_MS[unit]}${unit}`;
    }
  }
  return `${durationMs}ms`;
}
