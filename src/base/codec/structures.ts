import { DecodeError } from "#base/errors/index.ts";
import {
  type Codec,
  type Decoded,
  elementPath,
  isJsonObject,
  memberPath,
  mismatch,
} from "./codec.ts";
import type { JsonValue } from "./json.ts";

/** `null` or a value of `codec`. */
export function nullable<T>(codec: Codec<T>): Codec<T | null> {
  return {
    describe: `${codec.describe} or null`,
    decode: (value, path) => (value === null ? null : codec.decode(value, path)),
    encode: (value) => (value === null ? null : codec.encode(value)),
  };
}

/** The same error, seen from the value at `path` outwards. */
function below(path: string, error: DecodeError): DecodeError {
  const separator = error.path === "" || error.path.startsWith("[") ? "" : ".";
  return new DecodeError(`${path}${separator}${error.path}`, error.expected, { meta: error.meta });
}

/** An array of `codec` with `minLength` (default 0) to `maxLength` (default unlimited) elements. */
export function array<T>(
  codec: Codec<T>,
  limits: { readonly minLength?: number; readonly maxLength?: number } = {},
): Codec<readonly T[]> {
  const { minLength = 0, maxLength = Infinity } = limits;
  let describe = `array of ${codec.describe}`;
  if (minLength > 0) describe += `, at least ${minLength} long`;
  if (maxLength !== Infinity) describe += `, at most ${maxLength} long`;
  return {
    describe,
    decode(value, path) {
      if (!Array.isArray(value) || value.length < minLength || value.length > maxLength) {
        return mismatch(path, describe, value);
      }
      const result = new Array<T>(value.length);
      for (let i = 0; i < value.length; i++) {
        // Building a path per element costs more than decoding it: build it only for errors.
        try {
          result[i] = codec.decode(value[i], "");
        } catch (error) {
          if (!(error instanceof DecodeError)) throw error;
          throw below(elementPath(path, i), error);
        }
      }
      return result;
    },
    encode: (value) => value.map((element) => codec.encode(element)),
  };
}

/** A fixed-length array, one codec per position. */
export function tuple<const C extends readonly Codec<unknown>[]>(
  ...codecs: C
): Codec<{ readonly [I in keyof C]: Decoded<C[I]> }> {
  type T = { readonly [I in keyof C]: Decoded<C[I]> };
  const list: readonly Codec<unknown>[] = codecs;
  const describe = `[${list.map((codec) => codec.describe).join(", ")}]`;
  return {
    describe,
    decode(value, path) {
      if (!Array.isArray(value) || value.length !== list.length) {
        return mismatch(path, describe, value);
      }
      return list.map((codec, i) => codec.decode(value[i], elementPath(path, i))) as unknown as T;
    },
    encode: (value) =>
      list.map((codec, i) => codec.encode((value as unknown as readonly unknown[])[i])),
  };
}

/** An object used as a map: any member names, values of `codec`. */
export function mapOf<T>(codec: Codec<T>): Codec<ReadonlyMap<string, T>> {
  const describe = `object with values: ${codec.describe}`;
  return {
    describe,
    decode(value, path) {
      if (!isJsonObject(value)) return mismatch(path, describe, value);
      const result = new Map<string, T>();
      for (const [name, member] of Object.entries(value)) {
        result.set(name, codec.decode(member, memberPath(path, name)));
      }
      return result;
    },
    encode(value) {
      const result: Record<string, JsonValue> = {};
      for (const [name, member] of value) defineMember(result, name, codec.encode(member));
      return result;
    },
  };
}

/** Codecs of an object's members by wire name. */
export type Members = Readonly<Record<string, Codec<unknown>>>;

/** The domain type of an object with required members `R` and optional members `O`. */
export type ObjectOf<R extends Members, O extends Members> = {
  readonly [K in keyof R]: Decoded<R[K]>;
} & { readonly [K in keyof O]?: Decoded<O[K]> };

/** What happens to members that the codec does not name. */
export type UnknownMembers = "ignore" | "reject";

/** Sets an own member, also for the name `__proto__`. */
function defineMember<T>(target: Record<string, T>, name: string, value: T): void {
  if (name === "__proto__") {
    Object.defineProperty(target, name, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  } else target[name] = value;
}

/**
 * An object with named members.
 *
 * A member of value `undefined` counts as missing; a required one that is missing is reported at
 * its own path.
 *
 * @param unknown - members with other names are ignored (the default, as wallets send extras) or
 *   rejected
 */
export function object<R extends Members, O extends Members = Record<never, never>>(
  required: R,
  optional?: O,
  unknown: UnknownMembers = "ignore",
): Codec<ObjectOf<R, O>> {
  const requiredMembers = Object.entries(required);
  const optionalMembers = Object.entries(optional ?? {});
  const names = new Set([...requiredMembers, ...optionalMembers].map(([name]) => name));
  const describe = `object with ${requiredMembers.map(([name]) => name).join(", ") || "no required members"}`;
  return {
    describe,
    decode(value, path) {
      if (!isJsonObject(value)) return mismatch(path, describe, value);
      const result: Record<string, unknown> = {};
      for (const [name, codec] of requiredMembers) {
        const member = Object.hasOwn(value, name) ? value[name] : undefined;
        const at = memberPath(path, name);
        if (member === undefined) mismatch(at, `${codec.describe} (it is missing)`, member);
        result[name] = codec.decode(member, at);
      }
      for (const [name, codec] of optionalMembers) {
        const member = Object.hasOwn(value, name) ? value[name] : undefined;
        if (member !== undefined) result[name] = codec.decode(member, memberPath(path, name));
      }
      if (unknown === "reject") {
        for (const name of Object.keys(value)) {
          if (!names.has(name)) {
            mismatch(
              memberPath(path, name),
              `no such member (known: ${[...names].join(", ")})`,
              value[name],
            );
          }
        }
      }
      return result as ObjectOf<R, O>;
    },
    encode(value) {
      const source = value as Readonly<Record<string, unknown>>;
      const result: Record<string, JsonValue> = {};
      for (const [name, codec] of requiredMembers) result[name] = codec.encode(source[name]);
      for (const [name, codec] of optionalMembers) {
        const member = source[name];
        if (member !== undefined) result[name] = codec.encode(member);
      }
      return result;
    },
  };
}

/**
 * One of several shapes, tried in order; the first that decodes wins.
 *
 * @param select - the codec that writes a given value
 * @throws {DecodeError} at the deepest path that a shape reached, which is the likeliest intent
 */
export function union<T>(
  describe: string,
  codecs: readonly Codec<T>[],
  select: (value: T) => Codec<T>,
): Codec<T> {
  return {
    describe,
    decode(value, path) {
      let deepest: DecodeError | undefined;
      for (const codec of codecs) {
        try {
          return codec.decode(value, path);
        } catch (error) {
          if (!(error instanceof DecodeError)) throw error;
          if (error.path.length > (deepest?.path.length ?? path.length)) deepest = error;
        }
      }
      throw deepest ?? new DecodeError(path, describe);
    },
    encode: (value) => select(value).encode(value),
  };
}

/** Objects told apart by the member `tag`; each variant's codec decodes the whole object. */
export function tagged<const K extends string, V extends Readonly<Record<string, Codec<unknown>>>>(
  tag: K,
  variants: V,
): Codec<{ [N in keyof V]: Decoded<V[N]> }[keyof V]> {
  type T = { [N in keyof V]: Decoded<V[N]> }[keyof V];
  const byName = variants as unknown as Readonly<Record<string, Codec<T>>>;
  const expected = Object.keys(byName)
    .map((name) => JSON.stringify(name))
    .join(" or ");
  const describe = `object with ${tag}: ${expected}`;
  const variantOf = (value: unknown): Codec<T> | undefined => {
    const name = (value as Readonly<Record<string, unknown>>)[tag];
    return typeof name === "string" && Object.hasOwn(byName, name) ? byName[name] : undefined;
  };
  return {
    describe,
    decode(value, path) {
      if (!isJsonObject(value)) return mismatch(path, describe, value);
      const codec = variantOf(value);
      return codec === undefined
        ? mismatch(memberPath(path, tag), expected, value[tag])
        : codec.decode(value, path);
    },
    encode(value) {
      const codec = variantOf(value);
      if (codec === undefined) throw new DecodeError(tag, expected);
      return codec.encode(value);
    },
  };
}
