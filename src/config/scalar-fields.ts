import { type Felt, feltFromHex, hexFromFelt } from "#primitives/index.ts";
import { DURATION_FORM, formatDurationMs, parseDurationMs } from "./duration.ts";
import { expected, type Field } from "./field.ts";

/** The largest unsigned 64-bit number, which the public files use for "no limit". */
export const U64_MAX: bigint = (1n << 64n) - 1n;

/** A field over one YAML scalar; `read` gets the text as written and the parsed value. */
export function scalar<T>(
  describe: string,
  read: (text: string, value: unknown) => T | undefined,
  write: (value: T) => unknown,
): Field<T> {
  return {
    describe,
    read(node, path, issues) {
      if (node.kind === "scalar" && node.value !== null) {
        const text = typeof node.value === "string" ? node.value : node.source;
        const value = read(text, node.value);
        if (value !== undefined) return value;
      }
      return expected(issues, path, node.line, describe, node);
    },
    write,
  };
}

/** A field that also takes `null`, YAML's `~` or an empty value. */
export function nullableField<T>(field: Field<T>): Field<T | null> {
  return {
    describe: `${field.describe}, or null`,
    read: (node, path, issues) =>
      node.kind === "scalar" && node.value === null ? null : field.read(node, path, issues),
    write: (value) => (value === null ? null : field.write(value)),
  };
}

/** A field that is left out when it has no value. */
export function absentField<T>(field: Field<T>): Field<T | null> {
  const nullable = nullableField(field);
  return { ...nullable, write: (value) => (value === null ? undefined : field.write(value)) };
}

/** Text that is not empty. */
export const textField: Field<string> = scalar(
  "text",
  (text) => (text === "" ? undefined : text),
  (value) => value,
);

/** `true` or `false`. */
export const boolField: Field<boolean> = scalar(
  "true or false",
  (_text, value) => (typeof value === "boolean" ? value : undefined),
  (value) => value,
);

/** An integer in `[min, max]` as `bigint`, plain digits. */
export function bigintField(min = 0n, max: bigint = U64_MAX): Field<bigint> {
  return scalar(
    `integer from ${min} to ${max}`,
    (_text, value) => {
      const read =
        typeof value === "bigint"
          ? value
          : Number.isSafeInteger(value)
            ? BigInt(value as number)
            : -1n;
      return read >= min && read <= max ? read : undefined;
    },
    (value) => value,
  );
}

/** An integer in `[min, max]` as `number`. */
export function integerField(min = 0, max: number = Number.MAX_SAFE_INTEGER): Field<number> {
  const exact = bigintField(BigInt(min), BigInt(max));
  return {
    describe: exact.describe,
    read(node, path, issues) {
      const value = exact.read(node, path, issues);
      return value === undefined ? undefined : Number(value);
    },
    write: (value) => value,
  };
}

/** A number from `min`, fractions allowed. */
export function fractionField(min: number): Field<number> {
  return scalar(
    `number >= ${min}`,
    (_text, value) => {
      const read = typeof value === "bigint" ? Number(value) : value;
      return typeof read === "number" && Number.isFinite(read) && read >= min ? read : undefined;
    },
    (value) => value,
  );
}

/** `0x` hex below `bound`. */
export function hexField(describe: string, bound?: bigint): Field<Felt> {
  return scalar(
    describe,
    (text) => {
      const value = feltFromHex(text.replace(/^0X/, "0x"));
      return value !== undefined && (bound === undefined || value < bound) ? value : undefined;
    },
    hexFromFelt,
  );
}

/** A felt as 0x hex. */
export const feltField: Field<Felt> = hexField("felt (0x hex below the Stark prime)");

/** An L2 address. */
export const addressField: Field<Felt> = hexField("address (0x hex below 2^251)", 1n << 251n);

/** An Ethereum address. */
export const ethAddressField: Field<bigint> = hexField(
  "Ethereum address (0x and 40 hex digits)",
  1n << 160n,
);

/** A duration in milliseconds; `min` 1 refuses zero. */
export function durationField(min: number): Field<number> {
  return scalar(
    min > 0 ? `${DURATION_FORM}, above zero` : DURATION_FORM,
    (text) => {
      const durationMs = parseDurationMs(text);
      return durationMs !== undefined && durationMs >= min ? durationMs : undefined;
    },
    formatDurationMs,
  );
}

/** One of the given words, in any case; the value is the word as listed. */
export function choiceField<const W extends string>(...words: readonly W[]): Field<W> {
  return scalar(
    words.join(" or "),
    (text) => words.find((word) => word.toLowerCase() === text.toLowerCase()),
    (value) => value,
  );
}

/** An `http` or `https` address, without trailing slash. */
export const urlField: Field<string> = scalar(
  "http:// or https:// address",
  (text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const isHttp = url?.protocol === "http:" || url?.protocol === "https:";
    return isHttp ? text.replace(/\/+$/, "") : undefined;
  },
  (value) => value,
);
