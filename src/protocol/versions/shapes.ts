import {
  array,
  bigInteger,
  type Codec,
  convert,
  type Decoder,
  felt,
  integer,
  strictObject,
  textOf,
  tuple,
} from "#base/codec/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { Rational } from "./types.ts";

/** Codec of an amount of gas: plain digits in a JSON file, below 2^64. */
export const gas: Codec<bigint> = bigInteger(0n, (1n << 64n) - 1n);

/** Codec of a non-negative fraction, written as `[numerator, denominator]`. */
export const rational: Codec<Rational> = convert(
  tuple(gas, bigInteger(1n, (1n << 64n) - 1n)),
  "fraction [numerator, denominator]",
  ([numerator, denominator]): Rational => [numerator, denominator],
  ([numerator, denominator]) => [numerator, denominator] as const,
);

/** Codec of a set of felts, written as a list in any order. */
export const feltSet: Codec<ReadonlySet<Felt>> = convert(
  array(felt),
  "list of felts",
  (list): ReadonlySet<Felt> => new Set(list),
  (set) => [...set],
);

/** Codec of a release number of three parts, written as text such as `1.7.0`. */
export const release: Codec<readonly [number, number, number]> = convert(
  textOf({ pattern: /^\d+\.\d+\.\d+$/, describe: 'release such as "1.7.0"' }),
  'release such as "1.7.0"',
  (text) => {
    const [major = 0, minor = 0, patch = 0] = text.split(".").map(Number);
    return [major, minor, patch] as const;
  },
  (version) => version.join("."),
);

/** Codec of a number of steps, cells or bytes: an integer of at least 0. */
export const count: Codec<number> = integer(0);

/** Object with one member of `inner` for each of `names`. The result is a codec when `inner` is. */
export function record<N extends string, T>(
  names: readonly N[],
  inner: Codec<T>,
): Codec<Readonly<Record<N, T>>>;
export function record<N extends string, T>(
  names: readonly N[],
  inner: Decoder<T>,
): Decoder<Readonly<Record<N, T>>>;
export function record<N extends string, T>(
  names: readonly N[],
  inner: Decoder<T>,
): Decoder<Readonly<Record<N, T>>> {
  const members = Object.fromEntries(names.map((name) => [name, inner]));
  return strictObject(members) as unknown as Decoder<Readonly<Record<N, T>>>;
}

/** Object with optional members of `inner` under `names`. The result is a codec when `inner` is. */
export function partialRecord<N extends string, T>(
  names: readonly N[],
  inner: Codec<T>,
): Codec<Readonly<Partial<Record<N, T>>>>;
export function partialRecord<N extends string, T>(
  names: readonly N[],
  inner: Decoder<T>,
): Decoder<Readonly<Partial<Record<N, T>>>>;
export function partialRecord<N extends string, T>(
  names: readonly N[],
  inner: Decoder<T>,
): Decoder<Readonly<Partial<Record<N, T>>>> {
  const members = Object.fromEntries(names.map((name) => [name, inner]));
  return strictObject({}, members) as unknown as Decoder<Readonly<Partial<Record<N, T>>>>;
}
