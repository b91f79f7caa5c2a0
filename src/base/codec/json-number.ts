/** Number of significant digits that a 64-bit float always preserves. */
const SAFE_DIGITS = 15;

/** JSON number: digits, an optional fraction and an optional exponent. */
const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** Decimal number: its digits without zeros at either end, times a power of ten. */
interface Decimal {
  readonly digits: string;
  readonly exponent: number;
}

function decimalOf(token: string): Decimal | undefined {
  const match = NUMBER.exec(token);
  if (match === null) return undefined;
  const [, whole = "", fraction = "", exponent = "0"] = match;
  const all = whole + fraction;
  let first = 0;
  while (first < all.length && all.charCodeAt(first) === 0x30) first++;
  let end = all.length;
  while (end > first && all.charCodeAt(end - 1) === 0x30) end--;
  if (first === end) return { digits: "", exponent: 0 };
  return {
    digits: all.slice(first, end),
    exponent: Number(exponent) - fraction.length + (all.length - end),
  };
}

/**
 * Whether a number fits the range of a 64-bit float: it does not become infinite, and becomes zero only if it
 * is zero.
 *
 * @param token - JSON number; returns `true` for other text, which the parser refuses
 */
export function isFloat(token: string): boolean {
  // With an exponent below three digits, only a very long number leaves the range.
  if (token.length < 300 && !/[eE][+-]?0*\d{3}/.test(token)) return true;
  const value = Number(token);
  if (Number.isNaN(value)) return true;
  if (value === 0) return decimalOf(token)?.digits === "";
  return Number.isFinite(value);
}

/**
 * Whether a number survives a 64-bit float: the float's shortest text is the same decimal number.
 *
 * @param token - JSON number with a fraction or an exponent; see {@link isFloat}
 */
export function isExactFloat(token: string): boolean {
  if (token.length <= SAFE_DIGITS && !/[eE][+-]?0*\d{3}/.test(token)) return true;
  const exact = decimalOf(token);
  if (exact === undefined) return true;
  const rounded = decimalOf(String(Number(token)));
  return (
    rounded !== undefined && exact.digits === rounded.digits && exact.exponent === rounded.exponent
  );
}
