import {
  type Codec,
  isJsonObject,
  type JsonValue,
  memberPath,
  mismatch,
} from "#base/codec/index.ts";

/**
 * Name and codec of one member of a domain object in JSON, and its value when the member is absent.
 */
export interface Field<T> {
  /** Accepted names, in order of precedence; the first is used for encoding. */
  readonly names: readonly [string, ...string[]];
  readonly codec: Codec<T>;
  /** For optional members: the default when absent, and which values are omitted when encoding. */
  readonly absent: { readonly value: T; isOmitted(value: T): boolean } | undefined;
}

/** Creates a required member; `aliases` are further names under which it is read. */
export function field<T>(name: string, codec: Codec<T>, ...aliases: readonly string[]): Field<T> {
  return { names: [name, ...aliases], codec, absent: undefined };
}

/** Creates an optional member: `missing` is its value when absent, and is omitted in turn. */
export function optionalField<T>(name: string, codec: Codec<T>, missing: T): Field<T> {
  const isOmitted = (value: T) => value === missing;
  return { names: [name], codec, absent: { value: missing, isOmitted } };
}

/** Creates a member for a list that is omitted when empty. */
export function listField<T>(name: string, codec: Codec<readonly T[]>): Field<readonly T[]> {
  const isOmitted = (value: readonly T[]) => value.length === 0;
  return { names: [name], codec, absent: { value: [], isOmitted } };
}

/** Creates a member with a fixed domain value, which is the text `written` in JSON. */
export function constantField<T>(name: string, value: T, written: string): Field<T> {
  const codec: Codec<T> = {
    describe: written,
    decode: () => value,
    encode: () => written,
  };
  return { names: [name], codec, absent: { value, isOmitted: () => false } };
}

/**
 * Creates a member that exists only in the domain object, always with this value, and not in JSON.
 */
export function omittedField<T>(value: T): Field<T> {
  const codec: Codec<T> = { describe: "nothing", decode: () => value, encode: () => null };
  return { names: ["*"], codec, absent: { value, isOmitted: () => true } };
}

/** One field per member of `T`. */
export type Fields<T> = { readonly [K in keyof T]-?: Field<T[K]> };

/** Codec of an object with different member names in JSON. Unknown members are ignored. */
export function members<T extends object>(describe: string, fields: Fields<T>): Codec<T> {
  const list = Object.entries(fields) as [string, Field<unknown>][];
  return {
    describe,
    decode(value, path) {
      if (!isJsonObject(value)) return mismatch(path, describe, value);
      const result: Record<string, unknown> = {};
      for (const [key, each] of list) result[key] = readField(each, value, path);
      return result as T;
    },
    encode(value) {
      const source = value as Readonly<Record<string, unknown>>;
      const result: Record<string, JsonValue> = {};
      for (const [key, { names, codec, absent }] of list) {
        const member = source[key];
        if (absent?.isOmitted(member) !== true) result[names[0]] = codec.encode(member);
      }
      return result;
    },
  };
}

function readField(
  { names, codec, absent }: Field<unknown>,
  value: Readonly<Record<string, unknown>>,
  path: string,
): unknown {
  for (const name of names) {
    // Inherited properties such as `constructor` are not members.
    if (Object.hasOwn(value, name)) return codec.decode(value[name], memberPath(path, name));
  }
  if (absent !== undefined) return absent.value;
  return mismatch(memberPath(path, names[0]), `${codec.describe} (it is missing)`, undefined);
}
