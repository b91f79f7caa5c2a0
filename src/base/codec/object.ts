import {
  type Codec,
  type Decoded,
  type Decoder,
  isCodec,
  isJsonObject,
  memberPath,
  mismatch,
} from "./codec.ts";
import type { JsonValue } from "./json.ts";
import { objectSchema, type Schema } from "./schema.ts";

/** Decoders of an object's members by wire name. */
export type Members = Readonly<Record<string, Decoder<unknown>>>;

/** Codecs of an object's members by wire name. */
export type WritableMembers = Readonly<Record<string, Codec<unknown>>>;

/** The domain type of an object with required members `R` and optional members `O`. */
export type ObjectOf<R extends Members, O extends Members> = {
  readonly [K in keyof R]: Decoded<R[K]>;
} & { readonly [K in keyof O]?: Decoded<O[K]> };

type None = Record<never, never>;

/**
 * Object with named members; unknown members are ignored, because wallets send extras.
 *
 * A member of value `undefined` counts as missing; a missing required member is reported at its own path. The
 * result is a codec when all members are.
 */
export function object<R extends WritableMembers, O extends WritableMembers = None>(
  required: R,
  optional?: O,
): Codec<ObjectOf<R, O>>;
export function object<R extends Members, O extends Members = None>(
  required: R,
  optional?: O,
): Decoder<ObjectOf<R, O>>;
export function object<R extends Members, O extends Members>(
  required: R,
  optional?: O,
): Decoder<ObjectOf<R, O>> {
  const fields = fieldsOf(required, optional);
  const describe = describeFields(fields);
  return writable(fields, {
    describe,
    schema: fieldsSchema(fields, false),
    decode: (value, path) => decodeFields<ObjectOf<R, O>>(fields, describe, value, path),
  });
}

/**
 * {@link object} that refuses unknown members, so that a mistyped name in a file does not silently select a
 * default.
 */
export function strictObject<R extends WritableMembers, O extends WritableMembers = None>(
  required: R,
  optional?: O,
): Codec<ObjectOf<R, O>>;
export function strictObject<R extends Members, O extends Members = None>(
  required: R,
  optional?: O,
): Decoder<ObjectOf<R, O>>;
export function strictObject<R extends Members, O extends Members>(
  required: R,
  optional?: O,
): Decoder<ObjectOf<R, O>> {
  const fields = fieldsOf(required, optional);
  const describe = describeFields(fields);
  const names = new Set([...fields.required, ...fields.optional].map(([name]) => name));
  return writable(fields, {
    describe,
    schema: fieldsSchema(fields, true),
    decode(value, path) {
      const result = decodeFields<ObjectOf<R, O>>(fields, describe, value, path);
      for (const [name, member] of Object.entries(value as object)) {
        if (names.has(name)) continue;
        mismatch(
          memberPath(path, name),
          `no such member (known: ${[...names].join(", ")})`,
          member,
        );
      }
      return result;
    },
  });
}

interface Fields {
  readonly required: readonly (readonly [name: string, decoder: Decoder<unknown>])[];
  readonly optional: readonly (readonly [name: string, decoder: Decoder<unknown>])[];
}

function fieldsOf(required: Members, optional: Members = {}): Fields {
  return { required: Object.entries(required), optional: Object.entries(optional) };
}

function describeFields({ required }: Fields): string {
  return `object with ${required.map(([name]) => name).join(", ") || "no required members"}`;
}

function fieldsSchema({ required, optional }: Fields, isClosed: boolean): Schema {
  const schemas = (fields: Fields["required"]) =>
    Object.fromEntries(fields.map(([name, { schema = {} }]) => [name, schema]));
  return objectSchema(schemas(required), schemas(optional), isClosed);
}

function decodeFields<T>(fields: Fields, describe: string, value: unknown, path: string): T {
  if (!isJsonObject(value)) return mismatch(path, describe, value);
  const result: Record<string, unknown> = {};
  for (const [name, decoder] of fields.required) {
    const member = Object.hasOwn(value, name) ? value[name] : undefined;
    const at = memberPath(path, name);
    if (member === undefined) mismatch(at, `${decoder.describe} (it is missing)`, member);
    result[name] = decoder.decode(member, at);
  }
  for (const [name, decoder] of fields.optional) {
    const member = Object.hasOwn(value, name) ? value[name] : undefined;
    if (member !== undefined) result[name] = decoder.decode(member, memberPath(path, name));
  }
  return result as T;
}

/** Adds `encode` to `decoder` when every member is a codec. */
function writable<T>(fields: Fields, decoder: Decoder<T>): Decoder<T> {
  const required = fields.required.flatMap(([name, each]) =>
    isCodec(each) ? [[name, each] as const] : [],
  );
  const optional = fields.optional.flatMap(([name, each]) =>
    isCodec(each) ? [[name, each] as const] : [],
  );
  const codecs = required.length + optional.length;
  if (codecs < fields.required.length + fields.optional.length) return decoder;
  const codec: Codec<T> = {
    ...decoder,
    encode(value) {
      const source = value as Readonly<Record<string, unknown>>;
      const result: Record<string, JsonValue> = {};
      for (const [name, each] of required) result[name] = each.encode(source[name]);
      for (const [name, each] of optional) {
        const member = source[name];
        if (member !== undefined) result[name] = each.encode(member);
      }
      return result;
    },
  };
  return codec;
}
