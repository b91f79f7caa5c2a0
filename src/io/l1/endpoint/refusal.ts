/**
 * Codes of providers for "too many requests". `-32005` means any "limit exceeded" (EIP-1474), so its text
 * decides.
 */
const THROTTLING_CODES: ReadonlySet<number> = new Set([429, -32_029, -32_097]);

const THROTTLING_TEXT =
  /rate.?limit|too many requests|request (?:count|rate) exceeded|compute units per second|requests per second|request limit reached|throughput/i;

/** Whether an endpoint rejects requests because of their rate, not their content. */
export function isThrottling(code: number | undefined, message: string): boolean {
  return (code !== undefined && THROTTLING_CODES.has(code)) || THROTTLING_TEXT.test(message);
}

/** Maximum length of text that is searched; longer texts say nothing more about a range. */
const MAX_LOOKED_AT = 1000;

const HEX_RANGE = /\[\s*(0x[0-9a-f]{1,12})\s*,\s*(0x[0-9a-f]{1,12})\s*\]/i;
const DECIMAL_RANGE = /range\s+(\d{1,12})\s*-\s*(\d{1,12})/i;
const MOST_BLOCKS =
  /(?:up to an?|limited to(?: an?)?(?: 0 ?-)?|max(?:imum)?(?: block)? range:?|ranges over|exceeds? max(?:imum)? block range:?|maximum is set to|max)\s*(\d{1,3}(?:,\d{3})+|\d{1,9})(k)?\b(?!\s*(?:results|logs))/i;

/**
 * Extracts the accepted number of blocks from an error for a log request: providers suggest a range, or state
 * the widest one.
 *
 * @returns at least 1; `undefined` if the error states none
 */
export function suggestedBlocks(message: string): number | undefined {
  const text = message.slice(0, MAX_LOOKED_AT);
  const named = HEX_RANGE.exec(text) ?? DECIMAL_RANGE.exec(text);
  if (named !== null) {
    const blocks = Number(named[2]) - Number(named[1]) + 1;
    return blocks >= 1 ? blocks : undefined;
  }
  const most = MOST_BLOCKS.exec(text);
  if (most === null) return undefined;
  const blocks = Number((most[1] ?? "").replaceAll(",", "")) * (most[2] === undefined ? 1 : 1000);
  return blocks >= 1 ? blocks : undefined;
}
