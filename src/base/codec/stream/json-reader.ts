import { DecodeError } from "#base/errors/index.ts";
import { type Decoder, kindOf } from "../codec.ts";
import type { JsonValue } from "../json.ts";
import { advance } from "./advance.ts";
import { BYTES } from "./json-bytes.ts";
import { overLimit } from "./json-faults.ts";
import { ENDED, JsonLexer, MORE, type TokenLimits } from "./json-lexer.ts";
import { JsonPlace } from "./json-place.ts";
import { PENDING, type Pending } from "./pending.ts";

/** Limits of a {@link JsonReader}. */
export interface JsonReaderLimits extends TokenLimits {
  /** Deepest nesting of arrays and objects. */
  readonly maxDepth: number;
  /** Most texts of an array that is read by {@link JsonReader.texts}. */
  readonly maxTexts: number;
  /** Bytes of all members that are skipped, together. */
  readonly maxSkippedBytes: number;
  /** Bytes that callers of {@link JsonReader.keep} report, together. */
  readonly maxKeptBytes: number;
}

/** A JSON value that is not an array or object. */
export type JsonScalar = string | number | bigint | boolean | null;

/**
 * Takes a text of {@link JsonReader.texts}.
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
 * Numbers, escapes and wrong UTF-8 give the values that `parseJson` gives; unlike there, repeated members can
 * be seen. `@streamparser/json` 0.0.26 bounds neither nesting nor the length of a text or number, rounds
 * integers beyond 2^53, and makes a string of each of a million felts.
 *
 * Methods that move through the text return {@link PENDING} where more bytes have to arrive: call them again
 * after {@link feed}. They are no generators, because one for each token takes several times as long. They
 * throw a {@link DecodeError} at the place of the first wrong value: `meta.json` is `"malformed"` or `"cut"`
 * where it is not JSON, `meta.limit` is present where it is over a limit.
 */
export class JsonReader {
  readonly #limits: JsonReaderLimits;
  readonly #place = new JsonPlace();
  readonly #lexer: JsonLexer;
  #keptBytes = 0;
  #skippedBytes = 0;
  /** The step of {@link member} that is not done yet. */
  #memberStep: "advance" | "name" | "colon" = "advance";
  /** A text of {@link texts} has not arrived to its end. */
  #isInText = false;
  /** Where the value begins that is skipped, and whether one of its values was just passed. */
  #skipBase:
    { readonly depth: number; readonly offset: number; isBehindValue: boolean } | undefined;

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

  /** Kind of the next value, which is not consumed. */
  kind(): "array" | "object" | "null" | "scalar" | Pending {
    const byte = this.#peek();
    if (byte === MORE) return PENDING;
    if (byte === BYTES.openArray) return "array";
    if (byte === BYTES.openObject) return "object";
    return byte === BYTES.littleN ? "null" : "scalar";
  }

  /** Enters an array or object. @param describe - what is expected, for the error where it is none */
  open(kind: "array" | "object", describe: string): void | Pending {
    const byte = this.#peek();
    if (byte === MORE) return PENDING;
    if (byte !== OPENING[kind]) throw this.#otherKind(byte, describe);
    if (this.#place.depth >= this.#limits.maxDepth) {
      const expected = `JSON that nests at most ${this.#limits.maxDepth} levels deep`;
      throw overLimit(this.place, "depth", expected);
    }
    this.#lexer.take();
    this.#place.open(kind);
  }

  /** Moves to the next element of the array that was entered. @returns whether there is one, else leaves it */
  element(): boolean | Pending {
    return advance("array", this.#lexer, this.#place) ?? PENDING;
  }

  /** Moves to the next member of the object that was entered. @returns its name; `undefined` after the last one */
  member(): string | undefined | Pending {
    const lexer = this.#lexer;
    if (this.#memberStep === "advance") {
      const has = advance("object", lexer, this.#place);
      if (has === undefined) return PENDING;
      if (!has) return undefined;
      this.#memberStep = "name";
    }
    const { level } = this.#place;
    if (this.#memberStep === "name") {
      if (!lexer.text()) return PENDING;
      if (level !== undefined) level.name = lexer.decodedText();
      this.#memberStep = "colon";
    }
    const byte = this.#peek();
    if (byte === MORE) return PENDING;
    if (byte !== BYTES.colon) throw lexer.malformed("a colon");
    lexer.take();
    this.#memberStep = "advance";
    return level?.name;
  }

  /** A text, number, boolean or null; arrays and objects are refused before they are read. */
  scalar(describe: string): JsonScalar | Pending {
    const byte = this.#peek();
    if (byte === MORE) return PENDING;
    if (byte === BYTES.quote) {
      return this.#lexer.text() ? this.#lexer.decodedText() : PENDING;
    }
    if (byte === BYTES.openArray || byte === BYTES.openObject) {
      throw this.#otherKind(byte, describe);
    }
    const value = isOfNumber(byte) ? this.#lexer.number() : this.#lexer.literal();
    return value === undefined ? PENDING : value;
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
   * Reads the texts of the array that was entered, to its end, without making a string of each.
   *
   * @param visit - called for each text in order
   * @param element - what is expected of each text, for errors
   */
  texts(visit: TextVisitor, element: string): void | Pending {
    const lexer = this.#lexer;
    const { level } = this.#place;
    for (;;) {
      if (!this.#isInText) {
        const has = advance("array", lexer, this.#place);
        if (has === undefined) return PENDING;
        if (!has) return undefined;
        if ((level?.count ?? 0) > this.#limits.maxTexts) {
          const expected = `an array of at most ${this.#limits.maxTexts} values`;
          throw overLimit(this.place, "elements", expected);
        }
        const first = this.#peek();
        if (first !== BYTES.quote) throw this.#otherKind(first, element);
        this.#isInText = true;
      }
      if (!lexer.text()) return PENDING;
      this.#isInText = false;
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
  skip(): void | Pending {
    const { window } = this.#lexer;
    const { depth, level } = this.#place;
    const from = window.offset - (level?.name.length ?? 0);
    this.#skipBase ??= { depth, offset: from, isBehindValue: false };
    const base = this.#skipBase;
    for (;;) {
      if (!base.isBehindValue && this.#enterOrPass() === PENDING) return PENDING;
      base.isBehindValue = true;
      const skippedBytes = this.#skippedBytes + window.offset - base.offset;
      if (skippedBytes > this.#limits.maxSkippedBytes) {
        const expected = `at most ${this.#limits.maxSkippedBytes} bytes of unknown members`;
        throw overLimit(this.place, "skipped", expected);
      }
      if (this.#place.depth === base.depth) {
        this.#skippedBytes = skippedBytes;
        this.#skipBase = undefined;
        return undefined;
      }
      const has = this.#place.level?.kind === "array" ? this.element() : this.member();
      if (has === PENDING) return PENDING;
      base.isBehindValue = has === false || has === undefined;
    }
  }

  /** Waits for the end of the stream, behind the outermost value. */
  finish(): void | Pending {
    const byte = this.#lexer.peek();
    if (byte === MORE) return PENDING;
    if (byte !== ENDED) throw this.#lexer.malformed("nothing behind the JSON value");
  }

  /** Enters the next array or object, or passes over another value. */
  #enterOrPass(): void | Pending {
    const kind = this.kind();
    if (kind === PENDING) return PENDING;
    if (kind === "array" || kind === "object") return this.open(kind, "");
    if (this.scalar("") === PENDING) return PENDING;
  }

  /** The first byte of the next token, or that more have to arrive. */
  #peek(): number {
    const byte = this.#lexer.peek();
    if (byte === ENDED) throw this.#lexer.cutOff();
    return byte;
  }

  /** The error where a value of another kind begins, or none. */
  #otherKind(byte: number, describe: string): Error {
    if (byte === BYTES.openArray) return this.mismatch(describe, []);
    if (byte === BYTES.openObject) return this.mismatch(describe, {});
    if (byte === BYTES.quote) return this.mismatch(describe, "");
    if (isOfNumber(byte)) return this.mismatch(describe, 0);
    if (byte === BYTES.littleN) return this.mismatch(describe, null);
    if (byte === BYTES.littleT || byte === BYTES.littleF) return this.mismatch(describe, true);
    return this.#lexer.malformed("a value");
  }
}

/** Whether a number begins with a byte. */
function isOfNumber(byte: number): boolean {
  return byte === BYTES.minus || (byte >= 0x30 && byte <= 0x39);
}
