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
  readonly maxDepth: number;
  /** Maximum number of strings in an array that {@link JsonReader.texts} reads. */
  readonly maxTexts: number;
  /** Maximum bytes of all skipped members together. */
  readonly maxSkippedBytes: number;
  /** Maximum bytes that callers may report to {@link JsonReader.keep}, in total. */
  readonly maxKeptBytes: number;
}

/** A JSON value that is not an array or object. */
export type JsonScalar = string | number | bigint | boolean | null;

/**
 * Receives a string from {@link JsonReader.texts}.
 *
 * @param bytes - valid from `start` to `end` during the call, with escapes decoded
 * @returns `false` to refuse the string
 */
export type TextVisitor = (bytes: Uint8Array, start: number, end: number) => boolean;

const OPENING = { array: BYTES.openArray, object: BYTES.openObject } as const;

const UTF8 = new TextEncoder();

/**
 * Reads JSON from a byte stream, one value at a time, in memory that does not depend on its length.
 *
 * Numbers, escapes and invalid UTF-8 give the same values as `parseJson`; unlike there, repeated members are
 * visible. `@streamparser/json` 0.0.26 bounds neither nesting nor the length of a text or number, rounds
 * integers beyond 2^53, and makes a string of each of a million felts.
 *
 * Methods that advance through the text return {@link PENDING} when more bytes have to arrive: call them
 * again after {@link feed}. They are not generators, because one generator per token is several times slower.
 * They throw a {@link DecodeError} at the first wrong value: `meta.json` is `"malformed"` or `"cut"` when the
 * text is not JSON, `meta.limit` is present when it exceeds a limit.
 */
export class JsonReader {
  readonly #limits: JsonReaderLimits;
  readonly #place = new JsonPlace();
  readonly #lexer: JsonLexer;
  #keptBytes = 0;
  #skippedBytes = 0;
  /** Next step of an unfinished {@link member} call. */
  #memberStep: "advance" | "name" | "colon" = "advance";
  /** Whether a string of {@link texts} is still incomplete. */
  #isInText = false;
  /** Start of the value being skipped, and whether one of its values was just passed. */
  #skipBase:
    { readonly depth: number; readonly offset: number; isBehindValue: boolean } | undefined;

  constructor(limits: JsonReaderLimits) {
    this.#limits = limits;
    this.#lexer = new JsonLexer(limits, this.#place);
  }

  /** Appends the next bytes; they are copied. */
  feed(chunk: Uint8Array): void {
    this.#lexer.window.feed(chunk);
  }

  end(): void {
    this.#lexer.end();
  }

  /** Path of the current value; `""` for the whole document. */
  get place(): string {
    return this.#place.text;
  }

  get receivedBytes(): number {
    return this.#lexer.window.receivedBytes;
  }

  /**
   * Counts memory that the caller retains.
   *
   * @throws {DecodeError} when the total exceeds the limit
   */
  keep(sizeBytes: number): void {
    this.#keptBytes += sizeBytes;
    if (this.#keptBytes <= this.#limits.maxKeptBytes) return;
    const mib = this.#limits.maxKeptBytes / 2 ** 20;
    throw overLimit(this.place, "memory", `values that take at most ${mib} MiB of memory`);
  }

  /** Creates the error for a current value of an unexpected form. */
  mismatch(expected: string, value: unknown): DecodeError {
    return new DecodeError(this.place, expected, { meta: { got: kindOf(value) } });
  }

  /** Creates the error for a repeated member of the current object. */
  twice(): DecodeError {
    return new DecodeError(this.place, "this member once, not twice");
  }

  /** Returns the kind of the next value without consuming it. */
  kind(): "array" | "object" | "null" | "scalar" | Pending {
    const byte = this.#peek();
    if (byte === MORE) return PENDING;
    if (byte === BYTES.openArray) return "array";
    if (byte === BYTES.openObject) return "object";
    return byte === BYTES.littleN ? "null" : "scalar";
  }

  /** Enters an array or object. @param describe - expected form, for the error when it is neither */
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

  /** Moves to the next element of the entered array, or leaves the array. @returns whether there is one */
  element(): boolean | Pending {
    return advance("array", this.#lexer, this.#place) ?? PENDING;
  }

  /** Moves to the next member of the entered object. @returns its name; `undefined` after the last one */
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

  /** Reads a string, number, boolean or null; arrays and objects are refused before they are read. */
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

  /** Decodes a value that was read at the current place. */
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
   * Reads all strings of the entered array without allocating a string for each.
   *
   * @param visit - called for each string in order
   * @param element - expected form of each string, for errors
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

  /** Expects the end of the stream after the outermost value. */
  finish(): void | Pending {
    const byte = this.#lexer.peek();
    if (byte === MORE) return PENDING;
    if (byte !== ENDED) throw this.#lexer.malformed("nothing after the JSON value");
  }

  /** Enters the next array or object, or skips another value. */
  #enterOrPass(): void | Pending {
    const kind = this.kind();
    if (kind === PENDING) return PENDING;
    if (kind === "array" || kind === "object") return this.open(kind, "");
    if (this.scalar("") === PENDING) return PENDING;
  }

  /** Returns the first byte of the next token, or {@link MORE}. */
  #peek(): number {
    const byte = this.#lexer.peek();
    if (byte === ENDED) throw this.#lexer.cutOff();
    return byte;
  }

  /** Creates the error for a value of another kind, or for bytes that start no value. */
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

/** Whether `byte` can start a number. */
function isOfNumber(byte: number): boolean {
  return byte === BYTES.minus || (byte >= 0x30 && byte <= 0x39);
}
