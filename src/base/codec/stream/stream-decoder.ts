import { DecodeError } from "#base/errors/index.ts";
import { type Decoder, memberPath } from "../codec.ts";
import type { JsonValue } from "../json.ts";
import type { JsonReader, Reading } from "./json-reader.ts";

/** Reads a domain value from JSON that still arrives; the counterpart of {@link Decoder}. */
export interface StreamDecoder<T> {
  /** What is expected, for messages. */
  readonly describe: string;
  /**
   * Reads the next value of a reader.
   *
   * @throws {DecodeError} naming the first wrong place and what was expected there
   */
  read(reader: JsonReader): Reading<T>;
}

/** Stream decoders of an object's members by wire name. */
export type StreamMembers = Readonly<Record<string, StreamDecoder<unknown>>>;

/** The domain type of a stream decoder. */
export type Streamed<D> = D extends StreamDecoder<infer T> ? T : never;

/** The domain type of a streamed object with required members `R` and optional members `O`. */
export type StreamedObject<R extends StreamMembers, O extends StreamMembers> = {
  readonly [K in keyof R]: Streamed<R[K]>;
} & { readonly [K in keyof O]?: Streamed<O[K]> };

/** A text, number, boolean or null. */
export function streamScalar<T>(decoder: Decoder<T>): StreamDecoder<T> {
  const { describe } = decoder;
  return {
    describe,
    *read(reader) {
      return reader.decoded(decoder, yield* reader.scalar(describe));
    },
  };
}

/** Maps what a stream decoder reads. */
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

/** Estimated memory of a JSON value, and of a character of a text. */
const VALUE_BYTES = 64;
const CHARACTER_BYTES = 2;

/**
 * A value that is held as JSON as a whole before it is decoded; it counts as kept memory
 * ({@link JsonReader.keep}). A member that an object has twice is refused.
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
  switch (yield* reader.kind()) {
    case "array": {
      const elements: JsonValue[] = [];
      yield* reader.open("array", "");
      while (yield* reader.element()) elements.push(yield* wholeValue(reader));
      return elements;
    }
    case "object": {
      const members = new Map<string, JsonValue>();
      yield* reader.open("object", "");
      for (;;) {
        const name = yield* reader.member();
        // Defines own members only, also of the name `__proto__`.
        if (name === undefined) return Object.fromEntries(members);
        if (members.has(name)) throw reader.twice();
        reader.keep(name.length * CHARACTER_BYTES);
        members.set(name, yield* wholeValue(reader));
      }
    }
    case "scalar": {
      const value = yield* reader.scalar("");
      if (typeof value === "string") reader.keep(value.length * CHARACTER_BYTES);
      return value;
    }
  }
}

/** An object with named members in any order; others are skipped, and a member that is there twice is refused. */
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
      yield* reader.open("object", describe);
      for (;;) {
        const name = yield* reader.member();
        if (name === undefined) break;
        const decoder = known.get(name);
        if (decoder === undefined) {
          yield* reader.skip();
          continue;
        }
        if (Object.hasOwn(values, name)) throw reader.twice();
        values[name] = yield* decoder.read(reader);
      }
      requireMembers(reader, required, values);
      return values as StreamedObject<R, O>;
    },
  };
}

/**
 * Requires members of an object that a reader has just left.
 *
 * @throws {DecodeError} at the first one that is missing
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
 * An array whose elements are kept.
 *
 * @param elementBytes - memory that an element takes at least, for {@link JsonReader.keep}
 */
export function streamArray<T>(
  element: StreamDecoder<T>,
  elementBytes: number,
): StreamDecoder<readonly T[]> {
  const describe = `array of ${element.describe}`;
  return {
    describe,
    *read(reader) {
      yield* reader.open("array", describe);
      const values: T[] = [];
      while (yield* reader.element()) {
        reader.keep(elementBytes);
        values.push(yield* element.read(reader));
      }
      return values.length === 0 ? NOTHING : values;
    },
  };
}

/** Most calls have no events, messages and inner calls: they share one array. */
const NOTHING: readonly never[] = [];
