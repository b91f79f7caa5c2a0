import { isFloat } from "../json-number.ts";
import { ByteWindow } from "./byte-window.ts";
import { BYTES } from "./json-bytes.ts";
import { cutOff, malformed, overLimit } from "./json-faults.ts";
import type { JsonPlace } from "./json-place.ts";

/** Size limits that a {@link JsonLexer} applies to each string, number and run of white space. */
export interface TokenLimits {
  /** Maximum number of bytes between the quotes of a string. */
  readonly maxTextBytes: number;
  readonly maxNumberLength: number;
  /** Maximum run of white space in bytes. */
  readonly maxBlankBytes: number;
}

/** Result of {@link JsonLexer.peek} in place of a byte: the next byte has not arrived yet. */
export const MORE = -1;
/** Result of {@link JsonLexer.peek} in place of a byte: the stream has ended between two tokens. */
export const ENDED = -2;

const { quote: QUOTE, backslash: BACKSLASH, minus: MINUS } = BYTES;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

const NUMBER = /^-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
/** Integers with fewer characters are below 2^53. */
const LONG_NUMBER = 16;

const LITERALS = [
  ["true", true],
  ["false", false],
  ["null", null],
] as const;

const UTF8 = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Lexer for a JSON text that arrives in chunks. When the bytes of the next token have not all arrived, a
 * method changes nothing and says so: call it again after the next chunk.
 */
export class JsonLexer {
  readonly window = new ByteWindow();
  /** Range of the last string in the window, without its quotes; valid until the next chunk. */
  from = 0;
  to = 0;
  /** Whether the last string has no escapes. */
  isPlain = true;

  readonly #limits: TokenLimits;
  readonly #place: JsonPlace;
  #isAscii = true;
  /** Bytes of an incomplete string that have already been scanned. */
  #scannedBytes = 0;
  #blankBytes = 0;
  #hasEnded = false;
  #hasStarted = false;

  /** @param place - position of the next token, for errors */
  constructor(limits: TokenLimits, place: JsonPlace) {
    this.#limits = limits;
    this.#place = place;
  }

  end(): void {
    this.#hasEnded = true;
  }

  /** Returns the first byte of the next token, {@link MORE} or {@link ENDED}. */
  peek(): number {
    const { window } = this;
    if (!this.#hasStarted && !this.#skipByteOrderMark()) return MORE;
    const { bytes, end } = window;
    let at = window.at;
    let byte = MORE;
    for (; at < end; at++) {
      byte = bytes[at] as number;
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) break;
    }
    this.#blankBytes += at - window.at;
    window.at = at;
    if (this.#blankBytes > this.#limits.maxBlankBytes) {
      const expected = `at most ${this.#limits.maxBlankBytes} bytes of white space in a row`;
      throw overLimit(this.#place.text, "blanks", expected);
    }
    if (at >= end) return this.#hasEnded ? ENDED : MORE;
    this.#blankBytes = 0;
    return byte;
  }

  /** Consumes the byte that {@link peek} returned. */
  take(): void {
    this.window.at++;
  }

  /**
   * Consumes a string; {@link from} and {@link to} then delimit its content.
   *
   * @returns `false` when the string is incomplete: call again after the next chunk
   */
  text(): boolean {
    const { window } = this;
    const { bytes, end, at: start } = window;
    if (this.#scannedBytes === 0) {
      if (bytes[start] !== QUOTE) throw this.malformed("a text");
      this.#scannedBytes = 1;
      this.isPlain = true;
      this.#isAscii = true;
    }
    let i = start + this.#scannedBytes;
    let byte = 0;
    for (; i < end; i++) {
      byte = bytes[i] as number;
      if (byte === QUOTE) break;
      if (byte >= 0x80) this.#isAscii = false;
      else if (byte < 0x20) throw this.malformed("a text without control characters", i - start);
      else if (byte === BACKSLASH) {
        this.isPlain = false;
        i++;
      }
    }
    if (i - start - 1 > this.#limits.maxTextBytes) {
      const expected = `texts of at most ${this.#limits.maxTextBytes} bytes`;
      throw overLimit(this.#place.text, "text", expected);
    }
    if (i >= end) {
      this.#scannedBytes = i - start;
      return this.#needsMore();
    }
    this.from = start + 1;
    this.to = i;
    window.at = i + 1;
    this.#scannedBytes = 0;
    return true;
  }

  /** Decodes the last string. Invalid UTF-8 becomes U+FFFD, as when JSON is decoded as a whole. */
  decodedText(): string {
    const { bytes } = this.window;
    if (this.isPlain && this.#isAscii) return bytes.toString("latin1", this.from, this.to);
    const raw = UTF8.decode(bytes.subarray(this.from, this.to));
    if (this.isPlain) return raw;
    try {
      return JSON.parse(`"${raw}"`) as string;
    } catch {
      throw this.malformed("a text with valid escapes before this place");
    }
  }

  /**
   * Consumes a number; integers beyond 2^53 are `bigint`.
   *
   * @returns `undefined` when the number is incomplete: call again after the next chunk
   */
  number(): number | bigint | undefined {
    const { window } = this;
    const { bytes, at: start } = window;
    const last = Math.min(window.end, start + this.#limits.maxNumberLength + 1);
    let end = start;
    while (end < last && isOfNumber(bytes[end] as number)) end++;
    if (end - start > this.#limits.maxNumberLength) {
      const expected = `numbers of at most ${this.#limits.maxNumberLength} digits`;
      throw overLimit(this.#place.text, "number", expected);
    }
    if (end === window.end && !this.#hasEnded) return undefined;
    const token = bytes.toString("latin1", start, end);
    const match = NUMBER.exec(token);
    if (match === null) throw this.malformed("a number");
    window.at = end;
    const value = Number(token);
    if (match[1] !== undefined || match[2] !== undefined) {
      if (isFloat(token)) return value;
      const expected = "numbers within the range of a 64-bit float";
      throw overLimit(this.#place.text, "number", expected);
    }
    return token.length < LONG_NUMBER || Number.isSafeInteger(value) ? value : BigInt(token);
  }

  /**
   * Consumes `true`, `false` or `null`.
   *
   * @returns `undefined` when the literal is incomplete: call again after the next chunk
   */
  literal(): boolean | null | undefined {
    const { window } = this;
    for (const [text, value] of LITERALS) {
      const length = Math.min(text.length, window.end - window.at);
      if (
        window.bytes.toString("latin1", window.at, window.at + length) !== text.slice(0, length)
      ) {
        continue;
      }
      if (length < text.length) {
        this.#needsMore();
        return undefined;
      }
      window.at += length;
      return value;
    }
    throw this.malformed("a value");
  }

  /** Creates an error at the next byte, or `ahead` bytes after it. */
  malformed(expected: string, ahead = 0): Error {
    return malformed(this.#place.text, expected, this.window.offset + ahead);
  }

  /** Creates the error for a stream that ended too early. */
  cutOff(): Error {
    return cutOff(this.#place.text, this.window.receivedBytes);
  }

  #needsMore(): false {
    if (this.#hasEnded) throw this.cutOff();
    return false;
  }

  /** Skips a byte order mark. @returns `false` while too few bytes have arrived to decide */
  #skipByteOrderMark(): boolean {
    const { window } = this;
    const arrived = window.bytes.subarray(window.at, Math.min(window.end, window.at + 3));
    if (!arrived.every((byte, i) => byte === BYTE_ORDER_MARK[i])) return (this.#hasStarted = true);
    if (arrived.byteLength < BYTE_ORDER_MARK.length) return (this.#hasStarted = this.#hasEnded);
    window.at += BYTE_ORDER_MARK.length;
    return (this.#hasStarted = true);
  }
}

function isOfNumber(byte: number): boolean {
  const isDigit = byte >= 0x30 && byte <= 0x39;
  return isDigit || byte === MINUS || byte === 0x2b || byte === 0x2e || (byte | 0x20) === 0x65;
}
