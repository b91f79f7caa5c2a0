/** Significant digits that every 64-bit float keeps. */
const SAFE_DIGITS = 15;

/** Digits with one point and an exponent, as JSON writes numbers that are not whole. */
const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** A decimal number as its digits without zeros at either end and the power of ten behind them. */
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
 * Whether a number is in the range of a 64-bit float: it becomes neither an infinity nor, when it
 * is not zero, zero.
 *
 * @param token - a number as JSON writes it; what is none is `true`, as the parser refuses it
 */
export function isFloat(token: string): boolean {
  // Without three digits in the exponent only a very long number leaves the range.
  if (token.length < 300 && !/[eE][+-]?0*\d{3}/.test(token)) return true;
  const value = Number(token);
  if (Number.isNaN(value)) return true;
  if (value === 0) return decimalOf(token)?.digits === "";
  return Number.isFinite(value);
}

/**
 * Whether a number is told apart from all others by the shortest text of its 64-bit float: whoever
 * reads the text of the float gets the same decimal number.
 *
 * @param token - a number as JSON writes it, with a fraction or an exponent; see {@link isFloat}
 */
export function isExactFloat(token: string): boolean {
  if (token.length <= SAFE_DIGITS && !/[eE][+-]?0*\d{3}/.test(token)) return true;
  const given = decimalOf(token);
  if (given === undefined) return true;
  const kept = decimalOf(String(Number(token)));
  return kept !== undefined && given.digits === kept.digits && given.exponent === kept.exponent;
}
