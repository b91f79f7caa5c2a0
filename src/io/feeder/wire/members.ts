import {
  type Codec,
  isJsonObject,
  type JsonValue,
  memberPath,
  mismatch,
} from "#base/codec/index.ts";

/** How a member of a domain object stands in JSON. */
export interface Field<T> {
  /** Names that it is read under, the first of them first; it is written under the first. */
  readonly names: readonly [string, ...string[]];
  readonly codec: Codec<T>;
  /** For members that may be missing: what is read then, and which values are not written. */
  readonly absent: { readonly value: T; isLeftOut(value: T): boolean } | undefined;
}

/** A member that is always there. */
export function field<T>(name: string, codec: Codec<T>, ...aliases: readonly string[]): Field<T> {
  return { names: [name, ...aliases], codec, absent: undefined };
}

/** A member that is `missing` where it does not stand, and that is left out when it is that. */
export function optionalField<T>(name: string, codec: Codec<T>, missing: T): Field<T> {
  const isLeftOut = (value: T) => value === missing;
  return { names: [name], codec, absent: { value: missing, isLeftOut } };
}

/** A list that is left out when it is empty. */
export function listField<T>(name: string, codec: Codec<readonly T[]>): Field<readonly T[]> {
  const isLeftOut = (value: readonly T[]) => value.length === 0;
  return { names: [name], codec, absent: { value: [], isLeftOut } };
}

/** A member of the domain object that is the same for all of a form, with what stands for it in JSON. */
export function constantField<T>(name: string, value: T, written: string): Field<T> {
  const codec: Codec<T> = {
    describe: written,
    decode: () => value,
    encode: () => written,
  };
  return { names: [name], codec, absent: { value, isLeftOut: () => false } };
}

/** A member of the domain object that does not stand in JSON. */
export function untoldField<T>(value: T): Field<T> {
  const codec: Codec<T> = { describe: "nothing", decode: () => value, encode: () => null };
  return { names: ["*"], codec, absent: { value, isLeftOut: () => true } };
}

/** The fields of `T`, one for each member. */
export type Fields<T> = { readonly [K in keyof T]-?: Field<T[K]> };

/** An object whose members have other names in JSON. Members of other names are not looked at. */
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
        if (absent?.isLeftOut(member) !== true) result[names[0]] = codec.encode(member);
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
    // A name of the prototype (`constructor`) is no member.
    if (Object.hasOwn(value, name)) return codec.decode(value[name], memberPath(path, name));
  }
  if (absent !== undefined) return absent.value;
  return mismatch(memberPath(path, names[0]), `${codec.describe} (it is missing)`, undefined);
}
