import { DecodeError } from "#base/errors/index.ts";
import { type Decoder, kindOf } from "../codec.ts";
import type { JsonValue } from "../json.ts";
import { advance } from "./advance.ts";
import { BYTES } from "./json-bytes.ts";
import { overLimit } from "./json-faults.ts";
import { ENDED, JsonLexer, MORE, type TokenLimits } from "./json-lexer.ts";
import { JsonPlace } from "./json-place.ts";

/** Work that pauses (yields) where it needs more bytes than have arrived, and ends with a value. */
export type Reading<T> = Generator<undefined, T, undefined>;

/** Limits of a {@link JsonReader}. */
export interface JsonReaderLimits extends TokenLimits {
  /** Deepest nesting of arrays and objects. */
  readonly maxDepth: number;
  /** Bytes of all values that are skipped, together. */
  readonly maxSkippedBytes: number;
  /** Memory of what is kept, as those estimate it who keep it ({@link JsonReader.keep}). */
  readonly maxKeptBytes: number;
}

/** A JSON value that is not an array or object. */
export type JsonScalar = string | number | bigint | boolean | null;

/**
 * Whether a text is wanted.
 *
 * @param bytes - valid from `start` to `end` during the call, escapes undone
 * @returns `false` to refuse the text
 */
export type TextVisitor = (bytes: Uint8Array, start: number, end: number) => boolean;

const OPENING = { array: BYTES.openArray, object: BYTES.openObject } as const;

const UTF8 = new TextEncoder();

/**
 * Reads JSON from a stream of bytes, one value at a time, in memory that does not depend on its length.
 *
 * It differs from `parseJson` in what it keeps only, and in that repeated members can be seen: numbers,
 * escapes and wrong UTF-8 give the same values. Libraries for this (`@streamparser/json`, `clarinet`,
 * `jsonparse`) bound neither nesting nor the length of a text or number, round integers beyond 2^53, and
 * make a string of each of a million felts.
 *
 * Every method that is a generator throws a {@link DecodeError} at the place of the first wrong value:
 * `meta.json` is `"malformed"` or `"cut"` where it is not JSON, `meta.limit` is there where it is over a limit.
 */
export class JsonReader {
  readonly #limits: JsonReaderLimits;
  readonly #place = new JsonPlace();
  readonly #lexer: JsonLexer;
  #keptBytes = 0;
  #skippedBytes = 0;

  constructor(limits: JsonReaderLimits) {
    this.#limits = limits;
    this.#lexer = new JsonLexer(limits, this.#place);
  }

  /** Adds the next bytes; they are copied. */
  feed(chunk: Uint8Array): void {
    this.#lexer.window.feed(chunk);
  }

  /** Says that there are no more bytes. */
  end(): void {
    this.#lexer.end();
  }

  /** Path of the present value; `""` for the whole document. */
  get place(): string {
    return this.#place.text;
  }

  /** Number of bytes that have arrived. */
  get receivedBytes(): number {
    return this.#lexer.window.receivedBytes;
  }

  /**
   * Counts memory that is going to be kept.
   *
   * @throws {DecodeError} when all together is above the limit
   */
  keep(sizeBytes: number): void {
    this.#keptBytes += sizeBytes;
    if (this.#keptBytes <= this.#limits.maxKeptBytes) return;
    const mib = this.#limits.maxKeptBytes / 2 ** 20;
    throw overLimit(this.place, "memory", `values that take at most ${mib} MiB of memory`);
  }

  /** An error at the present value, which is not what is expected. */
  mismatch(expected: string, value: unknown): DecodeError {
    return new DecodeError(this.place, expected, { meta: { got: kindOf(value) } });
  }

  /** An error at a member that the present object has twice. */
  twice(): DecodeError {
    return new DecodeError(this.place, "this member once, not twice");
  }

  /** Consumes the next value where it is null. @returns whether it was */
  *skipNull(): Reading<boolean> {
    if ((yield* this.#next()) !== BYTES.littleN) return false;
    yield* this.#scalar();
    return true;
  }

  /** Kind of the next value, which is not consumed. */
  *kind(): Reading<"array" | "object" | "scalar"> {
    const byte = yield* this.#next();
    return byte === BYTES.openArray ? "array" : byte === BYTES.openObject ? "object" : "scalar";
  }

  /** Enters an array or object. */
  *open(kind: "array" | "object", describe: string): Reading<void> {
    const byte = yield* this.#next();
    if (byte !== OPENING[kind]) {
      const isNested = byte === BYTES.openArray || byte === BYTES.openObject;
      const other = byte === BYTES.openArray ? [] : {};
      throw this.mismatch(describe, isNested ? other : yield* this.#scalar());
    }
    if (this.#place.depth >= this.#limits.maxDepth) {
      const expected = `JSON that nests at most ${this.#limits.maxDepth} levels deep`;
      throw overLimit(this.place, "depth", expected);
    }
    this.#lexer.take();
    this.#place.open(kind);
  }

  /** Moves to the next element of the array that was entered. @returns whether there is one, else leaves it */
  *element(): Reading<boolean> {
    let has = this.#advance("array");
    while (has === undefined) {
      yield;
      has = this.#advance("array");
    }
    return has;
  }

  /** Moves to the next member of the object that was entered. @returns its name; `undefined` after the last one */
  *member(): Reading<string | undefined> {
    let has = this.#advance("object");
    while (has === undefined) {
      yield;
      has = this.#advance("object");
    }
    if (!has) return undefined;
    const lexer = this.#lexer;
    while (!lexer.text()) yield;
    const name = lexer.decodedText();
    const level = this.#place.level;
    if (level !== undefined) level.name = name;
    let byte = lexer.peek();
    for (; byte === MORE; byte = lexer.peek()) yield;
    if (byte !== BYTES.colon) throw byte === ENDED ? lexer.cutOff() : lexer.malformed("a colon");
    lexer.take();
    return name;
  }

  /** A text, number, boolean or null; arrays and objects are refused before they are read. */
  *scalar(describe: string): Reading<JsonScalar> {
    const lexer = this.#lexer;
    let byte = lexer.peek();
    for (; byte === MORE; byte = lexer.peek()) yield;
    if (byte === BYTES.openArray) throw this.mismatch(describe, []);
    if (byte === BYTES.openObject) throw this.mismatch(describe, {});
    if (byte !== BYTES.quote) return yield* this.#scalar();
    while (!lexer.text()) yield;
    return lexer.decodedText();
  }

  /** Decodes a value that was read at the present place. */
  decoded<T>(decoder: Decoder<T>, value: JsonValue): T {
    try {
      return decoder.decode(value, "");
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      const { place } = this;
      const isJoined = place === "" || error.path === "" || error.path.startsWith("[");
      const path = isJoined ? place + error.path : `${place}.${error.path}`;
      throw new DecodeError(path, error.expected, { meta: error.meta });
    }
  }

  /**
   * Reads an array of texts without making a string of each.
   *
   * @param describe - the array, for errors
   * @param visit - called for each text in order
   * @param element - what is expected of each text, for errors
   * @param maxLength - most texts
   */
  *texts(describe: string, visit: TextVisitor, element: string, maxLength: number): Reading<void> {
    yield* this.open("array", describe);
    const lexer = this.#lexer;
    for (let count = 0; ; count++) {
      let has = this.#advance("array");
      while (has === undefined) {
        yield;
        has = this.#advance("array");
      }
      if (!has) return;
      if (count >= maxLength) {
        throw overLimit(this.place, "elements", `an array of at most ${maxLength} values`);
      }
      if (lexer.window.bytes[lexer.window.at] !== BYTES.quote) {
        throw this.mismatch(element, yield* this.scalar(element));
      }
      while (!lexer.text()) yield;
      if (lexer.isPlain) {
        if (visit(lexer.window.bytes, lexer.from, lexer.to)) continue;
      } else {
        const plain = UTF8.encode(lexer.decodedText());
        if (visit(plain, 0, plain.byteLength)) continue;
      }
      throw this.mismatch(element, "");
    }
  }

  /** Reads a value and forgets it. */
  *skip(): Reading<void> {
    const from = this.#lexer.window.offset;
    yield* this.#skipFrom(from);
    this.#skippedBytes += this.#lexer.window.offset - from;
  }

  *#skipFrom(from: number): Reading<void> {
    const byte = yield* this.#next();
    if (byte === BYTES.openArray) {
      yield* this.open("array", "");
      while (yield* this.element()) yield* this.#skipFrom(from);
    } else if (byte === BYTES.openObject) {
      yield* this.open("object", "");
      while ((yield* this.member()) !== undefined) yield* this.#skipFrom(from);
    } else yield* this.#scalar();
    const skipped = this.#skippedBytes + this.#lexer.window.offset - from;
    if (skipped <= this.#limits.maxSkippedBytes) return;
    const most = this.#limits.maxSkippedBytes;
    throw overLimit(this.place, "skipped", `at most ${most} bytes of unknown members`);
  }

  /** Waits for the end of the stream, behind the outermost value. */
  *finish(): Reading<void> {
    let byte = this.#lexer.peek();
    for (; byte === MORE; byte = this.#lexer.peek()) yield;
    if (byte !== ENDED) throw this.#lexer.malformed("nothing behind the JSON value");
  }

  /** The first byte of the next token. */
  *#next(): Reading<number> {
    let byte = this.#lexer.peek();
    for (; byte === MORE; byte = this.#lexer.peek()) yield;
    if (byte === ENDED) throw this.#lexer.cutOff();
    return byte;
  }

  *#text(): Reading<string> {
    while (!this.#lexer.text()) yield;
    return this.#lexer.decodedText();
  }

  *#scalar(): Reading<JsonScalar> {
    const byte = yield* this.#next();
    if (byte === BYTES.quote) return yield* this.#text();
    const isNumber = byte === BYTES.minus || (byte >= 0x30 && byte <= 0x39);
    for (;;) {
      const value = isNumber ? this.#lexer.number() : this.#lexer.literal();
      if (value !== undefined) return value;
      yield;
    }
  }

  #advance(kind: "array" | "object"): boolean | undefined {
    return advance(kind, this.#lexer, this.#place);
  }
}
