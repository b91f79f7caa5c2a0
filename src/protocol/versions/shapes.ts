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

/** Gas as plain digits in a JSON file. */
export const gas: Codec<bigint> = bigInteger(0n, (1n << 64n) - 1n);

/** `[numerator, denominator]`. */
export const rational: Codec<Rational> = convert(
  tuple(gas, bigInteger(1n, (1n << 64n) - 1n)),
  "fraction [numerator, denominator]",
  ([numerator, denominator]): Rational => [numerator, denominator],
  ([numerator, denominator]) => [numerator, denominator] as const,
);

/** A list of felts without order. */
export const feltSet: Codec<ReadonlySet<Felt>> = convert(
  array(felt),
  "list of felts",
  (list): ReadonlySet<Felt> => new Set(list),
  (set) => [...set],
);

/** A release such as `1.7.0`. */
export const release: Codec<readonly [number, number, number]> = convert(
  textOf({ pattern: /^\d+\.\d+\.\d+$/, describe: 'release such as "1.7.0"' }),
  'release such as "1.7.0"',
  (text) => {
    const [major = 0, minor = 0, patch = 0] = text.split(".").map(Number);
    return [major, minor, patch] as const;
  },
  (version) => version.join("."),
);

/** A count of steps, cells or bytes. */
export const count: Codec<number> = integer(0);

/** An object that has one member of `inner` for each of `names`. Writes when `inner` does. */
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

/** An object that may have members of `inner` under `names`. Writes when `inner` does. */
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
