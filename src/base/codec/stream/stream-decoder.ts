import { DecodeError } from "#base/errors/index.ts";
import { type Decoder, memberPath } from "../codec.ts";
import type { JsonValue } from "../json.ts";
import type { JsonReader } from "./json-reader.ts";
import { arrived, PENDING, type Pending, type Reading } from "./pending.ts";

/** Reads a domain value from JSON while it arrives; the streaming counterpart of {@link Decoder}. */
export interface StreamDecoder<T> {
  /** Expected form, for messages. */
  readonly describe: string;
  /**
   * Reads the reader's next value.
   *
   * @throws {DecodeError} naming the first wrong place and the form expected there
   */
  read(reader: JsonReader): Reading<T>;
  /**
   * Fast form of {@link read}: a plain function instead of a generator. `undefined` for decoders of values
   * that take more than one reader call.
   *
   * @returns {@link PENDING} when more bytes have to arrive: call it again then
   */
  readonly now?: ((reader: JsonReader) => T | Pending) | undefined;
}

/** Stream decoders of an object's members by wire name. */
export type StreamMembers = Readonly<Record<string, StreamDecoder<unknown>>>;

/** The domain type of a stream decoder. */
export type Streamed<D> = D extends StreamDecoder<infer T> ? T : never;

/** The domain type of a streamed object with required members `R` and optional members `O`. */
export type StreamedObject<R extends StreamMembers, O extends StreamMembers> = {
  readonly [K in keyof R]: Streamed<R[K]>;
} & { readonly [K in keyof O]?: Streamed<O[K]> };

/** Decoder of a string, number, boolean or null. */
export function streamScalar<T>(decoder: Decoder<T>): StreamDecoder<T> {
  const { describe } = decoder;
  const now = (reader: JsonReader): T | Pending => {
    const value = reader.scalar(describe);
    return value === PENDING ? PENDING : reader.decoded(decoder, value);
  };
  return { describe, now, read: (reader) => arrived(() => now(reader)) };
}

/** Maps the result of a stream decoder. */
export function streamConvert<A, B>(
  decoder: StreamDecoder<A>,
  describe: string,
  map: (value: A) => B,
): StreamDecoder<B> {
  return {
    describe,
    *read(reader) {
      return map(yield* decoder.read(reader));
    },
  };
}

/** Estimated memory of a JSON value, and of a character of a string. */
const VALUE_BYTES = 64;
const CHARACTER_BYTES = 2;

/**
 * Decoder of a value that is held as JSON in full before it is decoded. It counts as kept memory ({@link
 * JsonReader.keep}); repeated members are refused.
 */
export function streamWhole<T>(decoder: Decoder<T>): StreamDecoder<T> {
  const { describe } = decoder;
  return {
    describe,
    *read(reader) {
      return reader.decoded(decoder, yield* wholeValue(reader));
    },
  };
}

function* wholeValue(reader: JsonReader): Reading<JsonValue> {
  reader.keep(VALUE_BYTES);
  const kind = yield* arrived(() => reader.kind());
  if (kind === "array") return yield* wholeArray(reader);
  if (kind === "object") return yield* wholeObject(reader);
  const value = yield* arrived(() => reader.scalar(""));
  if (typeof value === "string") reader.keep(value.length * CHARACTER_BYTES);
  return value;
}

function* wholeArray(reader: JsonReader): Reading<JsonValue> {
  const elements: JsonValue[] = [];
  yield* arrived(() => reader.open("array", ""));
  while (yield* arrived(() => reader.element())) elements.push(yield* wholeValue(reader));
  return elements;
}

function* wholeObject(reader: JsonReader): Reading<JsonValue> {
  const members = new Map<string, JsonValue>();
  yield* arrived(() => reader.open("object", ""));
  for (;;) {
    const name = yield* arrived(() => reader.member());
    // Defines own members only, including one named `__proto__`.
    if (name === undefined) return Object.fromEntries(members);
    if (members.has(name)) throw reader.twice();
    reader.keep(name.length * CHARACTER_BYTES);
    members.set(name, yield* wholeValue(reader));
  }
}

/**
 * Decoder of an object with named members in any order; unknown members are skipped, repeated ones refused.
 */
export function streamObject<R extends StreamMembers, O extends StreamMembers>(
  required: R,
  optional: O,
): StreamDecoder<StreamedObject<R, O>> {
  const known = new Map(Object.entries({ ...required, ...optional }));
  const describe = `object with ${Object.keys(required).join(", ") || "no required members"}`;
  return {
    describe,
    *read(reader) {
      const values: Record<string, unknown> = {};
      while (reader.open("object", describe) === PENDING) yield;
      for (;;) {
        let name = reader.member();
        for (; name === PENDING; name = reader.member()) yield;
        if (name === undefined) break;
        const decoder = known.get(name);
        if (decoder === undefined) {
          while (reader.skip() === PENDING) yield;
          continue;
        }
        if (Object.hasOwn(values, name)) throw reader.twice();
        if (decoder.now === undefined) {
          values[name] = yield* decoder.read(reader);
          continue;
        }
        let value = decoder.now(reader);
        for (; value === PENDING; value = decoder.now(reader)) yield;
        values[name] = value;
      }
      requireMembers(reader, required, values);
      return values as StreamedObject<R, O>;
    },
  };
}

/**
 * Checks that the object just left has all required members.
 *
 * @throws {DecodeError} at the first missing one
 */
export function requireMembers(
  reader: JsonReader,
  required: StreamMembers,
  values: Readonly<Record<string, unknown>>,
): void {
  for (const name in required) {
    if (Object.hasOwn(values, name)) continue;
    const expected = `${required[name]?.describe} (it is missing)`;
    throw new DecodeError(memberPath(reader.place, name), expected);
  }
}

/**
 * Decoder of an array whose elements are kept.
 *
 * @param elementBytes - minimum memory of an element, for {@link JsonReader.keep}
 */
export function streamArray<T>(
  element: StreamDecoder<T>,
  elementBytes: number,
): StreamDecoder<readonly T[]> {
  const describe = `array of ${element.describe}`;
  return {
    describe,
    *read(reader) {
      while (reader.open("array", describe) === PENDING) yield;
      const values: T[] = [];
      for (;;) {
        let has = reader.element();
        for (; has === PENDING; has = reader.element()) yield;
        if (!has) break;
        reader.keep(elementBytes);
        values.push(yield* element.read(reader));
      }
      return values.length === 0 ? NOTHING : values;
    },
  };
}

/** Most calls have no events, messages and inner calls, so they share one empty array. */
const NOTHING: readonly never[] = [];
