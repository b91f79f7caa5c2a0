import { DecodeError } from "#base/errors/index.ts";
import type { JsonValue } from "./json.ts";
import { isNamed, type Schema } from "./schema.ts";

/**
 * Reads a domain value from its JSON form.
 *
 * Paths locate a wrong value: members by `.name`, elements by `[index]`, the document itself by `""`.
 */
export interface Decoder<T> {
  /** Expected form, for messages and documents: `felt (0x hex below the Stark prime)`. */
  readonly describe: string;
  /** JSON schema for documents, never narrower than what `decode` accepts; omitted when undescribed. */
  readonly schema?: Schema | undefined;
  /**
   * Reads the `value` at `path`.
   *
   * @throws {DecodeError} naming the first wrong place and the form expected there
   */
  decode(value: unknown, path: string): T;
}

/** A two-way mapping between a domain value and its JSON form. */
export interface Codec<T> extends Decoder<T> {
  /** Returns the JSON form. Total: every `T` has one. */
  encode(value: T): JsonValue;
}

/** The domain type of a decoder or codec. */
export type Decoded<D> = D extends Decoder<infer T> ? T : never;

/** Whether a decoder can also encode. */
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

/** Kind of an untrusted value. Never returns its content, which must stay out of logs. */
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
 * Rejects a value.
 *
 * @throws {DecodeError} always; `meta.got` is the kind of `value`
 */
export function mismatch(path: string, expected: string, value: unknown): never {
  throw new DecodeError(path, expected, { meta: { got: kindOf(value) } });
}

/** Whether `value` is a JSON object. */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Maps the domain side of a decoder, or of a codec when `write` is given.
 *
 * @param describe - expected form, reported when `read` rejects
 * @param read - returns `undefined` to reject the value
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

/** Adds a description to schemas that have neither a name nor a description. */
function describedSchema(schema: Schema | undefined, description: string): Schema | undefined {
  return schema === undefined || isNamed(schema) || schema.description !== undefined
    ? schema
    : { ...schema, description };
}
