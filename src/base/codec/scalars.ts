import { type Felt, feltFromHex, hexFromFelt } from "#base/primitives/index.ts";
import { type Codec, mismatch } from "./codec.ts";
import type { JsonValue } from "./json.ts";
import { SENT_FELT, sentHexSchema } from "./schema.ts";

/** `true` or `false`. */
export const bool: Codec<boolean> = {
  describe: "true or false",
  schema: { type: "boolean" },
  decode: (value, path) =>
    typeof value === "boolean" ? value : mismatch(path, bool.describe, value),
  encode: (value) => value,
};

/** Any text. */
export const text: Codec<string> = textOf({});

/** Text within limits; lengths are in UTF-16 units. */
export function textOf(limits: {
  readonly maxLength?: number;
  readonly pattern?: RegExp;
  readonly describe?: string;
}): Codec<string> {
  const { maxLength = Infinity, pattern } = limits;
  const describe =
    limits.describe ??
    (maxLength === Infinity ? "text" : `text of at most ${maxLength} characters`);
  return {
    describe,
    schema: {
      type: "string",
      ...(maxLength === Infinity ? {} : { maxLength }),
      ...(pattern === undefined ? {} : { pattern: pattern.source }),
    },
    decode(value, path) {
      const fits =
        typeof value === "string" &&
        value.length <= maxLength &&
        (pattern === undefined || pattern.test(value));
      return fits ? value : mismatch(path, describe, value);
    },
    encode: (value) => value,
  };
}

/**
 * A JSON integer that fits a `number`.
 *
 * @param min - smallest accepted value, default 0
 * @param max - largest accepted value, default 2^53 - 1
 */
export function integer(min = 0, max: number = Number.MAX_SAFE_INTEGER): Codec<number> {
  const describe =
    max === Number.MAX_SAFE_INTEGER ? `integer >= ${min}` : `integer from ${min} to ${max}`;
  return {
    describe,
    schema: {
      type: "integer",
      minimum: min,
      ...(max === Number.MAX_SAFE_INTEGER ? {} : { maximum: max }),
    },
    decode(value, path) {
      return Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max
        ? (value as number)
        : mismatch(path, describe, value);
    },
    encode: (value) => value,
  };
}

/**
 * JSON integer >= 0 of any size, used as a lookup key.
 *
 * It is rounded beyond 2^53, where a lookup finds nothing anyway.
 */
export const lookupNumber: Codec<number> = {
  describe: "integer >= 0",
  schema: { type: "integer", minimum: 0 },
  decode(value, path) {
    if (typeof value === "bigint" && value >= 0n) return Number(value);
    // Turns -0 into 0.
    return Number.isInteger(value) && (value as number) >= 0
      ? (value as number) + 0
      : mismatch(path, lookupNumber.describe, value);
  },
  encode: (value) => value,
};

/** JSON integer of plain digits in `[min, max]` as `bigint`; exact only with {@link parseJson}. */
export function bigInteger(min: bigint, max: bigint): Codec<bigint> {
  const describe = `integer from ${min} to ${max}`;
  return {
    describe,
    schema: { type: "integer", minimum: min, maximum: max },
    decode(value, path) {
      const read =
        typeof value === "bigint"
          ? value
          : Number.isSafeInteger(value)
            ? BigInt(value as number)
            : undefined;
      return read !== undefined && read >= min && read <= max
        ? read
        : mismatch(path, describe, value);
    },
    encode: (value) =>
      value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)
        ? Number(value)
        : value,
  };
}

/**
 * `0x` hex text of a value below `bound`.
 *
 * Encodes without leading zeros, as the specification requires. Accepts up to 64 digits, because wallets also
 * send padded values.
 */
export function hexBelow(bound: bigint, describe: string): Codec<bigint> {
  return {
    describe,
    schema: { ...sentHexSchema((bound - 1n).toString(2).length), description: describe },
    decode(value, path) {
      const read = typeof value === "string" ? feltFromHex(value) : undefined;
      return read !== undefined && read < bound ? read : mismatch(path, describe, value);
    },
    encode: hexFromFelt,
  };
}

/**
 * FELT of the JSON-RPC specification: `0x` hex text of a value below the Stark prime. Encodes without leading
 * zeros; decodes padded text of up to 64 digits, too, which wallets send.
 */
export const felt: Codec<Felt> = {
  describe: "felt (0x hex below the Stark prime)",
  schema: SENT_FELT,
  decode(value, path) {
    const read = typeof value === "string" ? feltFromHex(value) : undefined;
    return read ?? mismatch(path, felt.describe, value);
  },
  encode: hexFromFelt,
};

/** A contract address; the state trie has 2^251 leaves. */
export const address: Codec<Felt> = hexBelow(1n << 251n, "contract address (0x hex below 2^251)");

/** A storage key; a contract's storage trie has 2^251 leaves. */
export const storageKey: Codec<Felt> = hexBelow(1n << 251n, "storage key (0x hex below 2^251)");

/** Ethereum address as a number below 2^160; 0x hex, leading zeros may be missing. */
export const ethAddress: Codec<bigint> = hexBelow(
  1n << 160n,
  "Ethereum address (0x hex below 2^160)",
);

/** U64 of the JSON-RPC specification: 0x hex. */
export const u64Hex: Codec<bigint> = hexBelow(1n << 64n, "64-bit number (0x hex)");

/** U128 of the JSON-RPC specification: 0x hex. */
export const u128Hex: Codec<bigint> = hexBelow(1n << 128n, "128-bit number (0x hex)");

/** One of the listed JSON scalars. */
export function literal<const L extends readonly (string | number | boolean | null)[]>(
  ...values: L
): Codec<L[number]> {
  const accepted: ReadonlySet<unknown> = new Set(values);
  const describe = values.map((value) => JSON.stringify(value)).join(" or ");
  return {
    describe,
    schema: { enum: values },
    decode: (value, path) =>
      accepted.has(value) ? (value as L[number]) : mismatch(path, describe, value),
    encode: (value) => value,
  };
}

/** Any JSON value, passed through. */
export const json: Codec<JsonValue> = {
  describe: "JSON",
  schema: {},
  decode: (value, path) =>
    value === undefined ? mismatch(path, json.describe, value) : (value as JsonValue),
  encode: (value) => value,
};
