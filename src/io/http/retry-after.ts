/**
 * Parses the header `Retry-After` (RFC 9110, section 10.2.3): seconds, or a date.
 *
 * @param nowMs - current time in Unix milliseconds
 * @returns milliseconds from now, at least 0; `undefined` if the header is missing or invalid
 */
export function retryAfterMs(header: string | null, nowMs: number): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const atMs = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}
