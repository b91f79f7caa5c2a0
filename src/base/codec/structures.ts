import { DecodeError } from "#base/errors/index.ts";
import {
  type Codec,
  type Decoded,
  type Decoder,
  elementPath,
  isCodec,
  isJsonObject,
  memberPath,
  mismatch,
} from "./codec.ts";
import type { JsonValue } from "./json.ts";

/** `null` or a value of `inner`. The result is a codec when `inner` is. */
export function nullable<T>(inner: Codec<T>): Codec<T | null>;
export function nullable<T>(inner: Decoder<T>): Decoder<T | null>;
export function nullable<T>(inner: Decoder<T>): Decoder<T | null> {
  const decoder: Decoder<T | null> = {
    describe: `${inner.describe} or null`,
    schema: { anyOf: [inner.schema ?? {}, { type: "null" }] },
    decode: (value, path) => (value === null ? null : inner.decode(value, path)),
  };
  if (!isCodec(inner)) return decoder;
  const codec: Codec<T | null> = {
    ...decoder,
    encode: (value) => (value === null ? null : inner.encode(value)),
  };
  return codec;
}

/** Prefixes the error's path with `path`. */
function below(path: string, error: DecodeError): DecodeError {
  const separator = error.path === "" || error.path.startsWith("[") ? "" : ".";
  return new DecodeError(`${path}${separator}${error.path}`, error.expected, { meta: error.meta });
}

/** Limits of an array's length; default 0 to unlimited. */
export interface ArrayLimits {
  readonly minLength?: number;
  readonly maxLength?: number;
}

/** Array of `inner`. The result is a codec when `inner` is. */
export function array<T>(inner: Codec<T>, limits?: ArrayLimits): Codec<readonly T[]>;
export function array<T>(inner: Decoder<T>, limits?: ArrayLimits): Decoder<readonly T[]>;
export function array<T>(inner: Decoder<T>, limits: ArrayLimits = {}): Decoder<readonly T[]> {
  const { minLength = 0, maxLength = Infinity } = limits;
  let describe = `array of ${inner.describe}`;
  if (minLength > 0) describe += `, at least ${minLength} long`;
  if (maxLength !== Infinity) describe += `, at most ${maxLength} long`;
  const decoder: Decoder<readonly T[]> = {
    describe,
    schema: {
      type: "array",
      ...(inner.schema === undefined ? {} : { items: inner.schema }),
      ...(minLength > 0 ? { minItems: minLength } : {}),
      ...(maxLength === Infinity ? {} : { maxItems: maxLength }),
    },
    decode(value, path) {
      if (!Array.isArray(value) || value.length < minLength || value.length > maxLength) {
        return mismatch(path, describe, value);
      }
      const result = new Array<T>(value.length);
      for (let i = 0; i < value.length; i++) {
        // Building a path per element costs more than decoding it, so only errors build one.
        try {
          result[i] = inner.decode(value[i], "");
        } catch (error) {
          if (!(error instanceof DecodeError)) throw error;
          throw below(elementPath(path, i), error);
        }
      }
      return result;
    },
  };
  if (!isCodec(inner)) return decoder;
  const codec: Codec<readonly T[]> = {
    ...decoder,
    encode: (value) => value.map((element) => inner.encode(element)),
  };
  return codec;
}

/** Fixed-length array, one codec per position. */
export function tuple<const C extends readonly Codec<unknown>[]>(
  ...codecs: C
): Codec<{ readonly [I in keyof C]: Decoded<C[I]> }> {
  type T = { readonly [I in keyof C]: Decoded<C[I]> };
  const list: readonly Codec<unknown>[] = codecs;
  const describe = `[${list.map((codec) => codec.describe).join(", ")}]`;
  return {
    describe,
    schema: {
      type: "array",
      items: list.map(({ schema = {} }) => schema),
      minItems: list.length,
      maxItems: list.length,
    },
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

/** Object used as a map: any member names, values of `inner`. The result is a codec when `inner` is. */
export function mapOf<T>(inner: Codec<T>): Codec<ReadonlyMap<string, T>>;
export function mapOf<T>(inner: Decoder<T>): Decoder<ReadonlyMap<string, T>>;
export function mapOf<T>(inner: Decoder<T>): Decoder<ReadonlyMap<string, T>> {
  const describe = `object with values: ${inner.describe}`;
  const decoder: Decoder<ReadonlyMap<string, T>> = {
    describe,
    schema: { type: "object", additionalProperties: inner.schema ?? {} },
    decode(value, path) {
      if (!isJsonObject(value)) return mismatch(path, describe, value);
      const result = new Map<string, T>();
      for (const [name, member] of Object.entries(value)) {
        result.set(name, inner.decode(member, memberPath(path, name)));
      }
      return result;
    },
  };
  if (!isCodec(inner)) return decoder;
  const codec: Codec<ReadonlyMap<string, T>> = {
    ...decoder,
    encode(value) {
      const result: Record<string, JsonValue> = {};
      for (const [name, member] of value) defineMember(result, name, inner.encode(member));
      return result;
    },
  };
  return codec;
}

/** Sets an own member, including one named `__proto__`. */
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
 * One of several shapes, tried in order; the first that decodes wins.
 *
 * @throws {DecodeError} at the deepest path that a shape reached, which is the likeliest intent
 */
export function union<T>(describe: string, shapes: readonly Decoder<T>[]): Decoder<T> {
  return {
    describe,
    schema: { anyOf: shapes.map(({ schema = {} }) => schema) },
    decode(value, path) {
      let deepest: DecodeError | undefined;
      for (const shape of shapes) {
        try {
          return shape.decode(value, path);
        } catch (error) {
          if (!(error instanceof DecodeError)) throw error;
          if (error.path.length > (deepest?.path.length ?? path.length)) deepest = error;
        }
      }
      throw deepest ?? new DecodeError(path, describe);
    },
  };
}
