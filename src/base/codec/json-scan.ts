import { DecodeError } from "#base/errors/index.ts";
import { isExactFloat, isFloat } from "./json-number.ts";

/** Limits that are checked before a text is parsed; the meanings are those of `JsonLimits`. */
export interface ScanLimits {
  readonly maxDepth: number;
  readonly maxElements: number;
  readonly maxParts: number;
  readonly maxNumberLength: number;
  readonly exactNumbers: boolean;
}

/** Integers with fewer characters are below 2^53. */
const LONG_NUMBER = 16;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const COLON = 0x3a;
const COMMA = 0x2c;
const MINUS = 0x2d;

/** Index of the closing quote of the string that opens at `start`, or the text's length if unterminated. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let first = end - 1;
    while (text.charCodeAt(first) === BACKSLASH) first--;
    // An even number of backslashes precedes the quote, so it is not escaped.
    if ((end - first) % 2 === 1) return end;
  }
  return text.length;
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

/** Whether a character of a number is not a digit: `.`, `+`, `-`, `e` or `E`. */
function isNumberMark(unit: number): boolean {
  return unit === 0x2e || unit === 0x2b || unit === MINUS || unit === 0x65 || unit === 0x45;
}

/**
 * Checks untrusted text against limits in one linear scan, without a stack. Invalid JSON is left for the
 * parser to refuse.
 *
 * @returns start and end of each integer that may exceed 2^53, flattened
 * @throws {DecodeError} (path `""`) naming the limit; `meta.limit` is `depth`, `elements`, `parts` or
 *   `number`
 */
export function scanJson(text: string, limits: ScanLimits): number[] {
  const { maxDepth, maxElements, maxNumberLength, maxParts } = limits;
  const long: number[] = [];
  let depth = 0;
  let elements = 1;
  let parts = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === QUOTE) i = endOfString(text, i);
    else if (isDigit(unit) || unit === MINUS) {
      const start = i;
      let isWhole = true;
      for (let next = text.charCodeAt(i + 1); ; next = text.charCodeAt(i + 1)) {
        if (isNumberMark(next)) isWhole = false;
        else if (!isDigit(next)) break;
        if (++i - start >= maxNumberLength) {
          throw overLimit("number", `numbers of at most ${maxNumberLength} digits`, text, start, i);
        }
      }
      if (!isWhole || i + 1 - start >= LONG_NUMBER) {
        if (++parts > maxParts) throw tooManyParts(maxParts);
        if (isWhole) long.push(start, i + 1);
        else checkFraction(text, start, i + 1, limits.exactNumbers);
      }
    } else if (unit === OPEN_ARRAY || unit === OPEN_OBJECT) {
      if (++depth > maxDepth) {
        throw overLimit("depth", `JSON that nests at most ${maxDepth} levels deep`);
      }
      if (++parts > maxParts) throw tooManyParts(maxParts);
    } else if (unit === CLOSE_ARRAY || unit === CLOSE_OBJECT) depth--;
    else if (unit === COLON) {
      if (++parts > maxParts) throw tooManyParts(maxParts);
    } else if (unit === COMMA && ++elements > maxElements) {
      throw overLimit("elements", `JSON of at most ${maxElements} elements`);
    }
  }
  return long;
}

function tooManyParts(maxParts: number): DecodeError {
  const expected = `JSON of at most ${maxParts} arrays, objects, members and long numbers together`;
  return overLimit("parts", expected);
}

function checkFraction(text: string, start: number, end: number, exactNumbers: boolean): void {
  const token = text.slice(start, end);
  if (!isFloat(token)) {
    throw overLimit("number", "numbers within the range of a 64-bit float", text, start, end);
  }
  if (exactNumbers && !isExactFloat(token)) {
    const expected = "numbers with a fraction or an exponent that a 64-bit float holds exactly";
    throw overLimit("number", expected, text, start, end);
  }
}

/** Number of characters of a refused number that a message shows. */
const SHOWN = 24;

function overLimit(
  limit: "depth" | "elements" | "parts" | "number",
  expected: string,
  text = "",
  start = 0,
  end = 0,
): DecodeError {
  const got = end - start > SHOWN ? `${text.slice(start, start + SHOWN)}…` : text.slice(start, end);
  const message = got === "" ? expected : `${expected}, got ${got}`;
  return new DecodeError("", message, { meta: { limit } });
}
