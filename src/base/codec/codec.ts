import { DecodeError } from "#base/errors/index.ts";
import type { JsonValue } from "./json.ts";
import { isNamed, type Schema } from "./schema.ts";

/**
 * Reads a domain value from its JSON form.
 *
 * Paths name the place of a wrong value: members by `.name`, elements by `[index]`, the document
 * itself by `""`.
 */
export interface Decoder<T> {
  /** What is expected, for messages and documents: `felt (0x hex below the Stark prime)`. */
  readonly describe: string;
  /** The JSON form in documents, never narrower than what is read; absent: nothing is said. */
  readonly schema?: Schema | undefined;
  /**
   * Reads `value`, which stands at `path`.
   *
   * @throws {DecodeError} naming the first wrong place and what was expected there
   */
  decode(value: unknown, path: string): T;
}

/** A two-way mapping between a domain value and its JSON form. */
export interface Codec<T> extends Decoder<T> {
  /** The JSON form. Total: every `T` has one. */
  encode(value: T): JsonValue;
}

/** The domain type of a decoder or codec. */
export type Decoded<D> = D extends Decoder<infer T> ? T : never;

/** Whether a decoder writes too. */
export function isCodec<T>(decoder: Decoder<T>): decoder is Codec<T> {
  return "encode" in decoder;
}

/** The path of member `name` of the object at `path`. */
export function memberPath(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

/** The path of element `index` of the array at `path`. */
export function elementPath(path: string, index: number): string {
  return `${path}[${index}]`;
}

/** The kind of a foreign value, never its content: content of strangers stays out of logs. */
export function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  switch (typeof value) {
    case "object":
      return "an object";
    case "bigint":
    case "number":
      return "a number";
    case "string":
      return "text";
    case "boolean":
      return "a boolean";
    default:
      return `a ${typeof value}`;
  }
}

/**
 * Ends a decoding.
 *
 * @throws {DecodeError} always; the message adds the kind of `value` when that is not expected
 */
export function mismatch(path: string, expected: string, value: unknown): never {
  throw new DecodeError(path, expected, { meta: { got: kindOf(value) } });
}

/** Whether `value` is a JSON object. */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Maps the domain side of a decoder; with `write`, of a codec.
 *
 * @param read - `undefined` means that the value is not acceptable
 * @param describe - what is expected then
 */
export function convert<A, B>(
  codec: Codec<A>,
  describe: string,
  read: (value: A) => B | undefined,
  write: (value: B) => A,
): Codec<B>;
export function convert<A, B>(
  decoder: Decoder<A>,
  describe: string,
  read: (value: A) => B | undefined,
): Decoder<B>;
export function convert<A, B>(
  inner: Codec<A> | Decoder<A>,
  describe: string,
  read: (value: A) => B | undefined,
  write?: (value: B) => A,
): Decoder<B> {
  const decoder: Decoder<B> = {
    describe,
    schema: describedSchema(inner.schema, describe),
    decode(value, path) {
      const result = read(inner.decode(value, path));
      return result === undefined ? mismatch(path, describe, value) : result;
    },
  };
  if (write === undefined || !isCodec(inner)) return decoder;
  const codec: Codec<B> = { ...decoder, encode: (value) => inner.encode(write(value)) };
  return codec;
}

/** What has no name of its own is told in words, too. */
function describedSchema(schema: Schema | undefined, description: string): Schema | undefined {
  return schema === undefined || isNamed(schema) || schema.description !== undefined
    ? schema
    : { ...schema, description };
}
