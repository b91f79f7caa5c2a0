import { type Felt, feltFromHex, hexFromFelt, shownAddress } from "#base/primitives/index.ts";
import { DURATION_FORM, formatDurationMs, parseDurationMs } from "./duration.ts";
import { expected, type Field, shapesOf } from "./field.ts";

/** Largest unsigned 64-bit number, which the public files use for "no limit". */
export const U64_MAX: bigint = (1n << 64n) - 1n;

/**
 * Creates a configuration field over one YAML scalar; `read` gets the text as written and the
 * parsed value.
 */
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

/** Wraps a configuration field so that it also accepts `null`, YAML's `~` or an empty value. */
export function nullableField<T>(field: Field<T>): Field<T | null> {
  return {
    describe: `${field.describe}, or null`,
    ...shapesOf(field),
    read: (node, path, issues) =>
      node.kind === "scalar" && node.value === null ? null : field.read(node, path, issues),
    write: (value) => (value === null ? null : field.write(value)),
  };
}

/** Wraps a configuration field so that the YAML form of `null` is an omitted member. */
export function absentField<T>(field: Field<T>): Field<T | null> {
  const nullable = nullableField(field);
  return { ...nullable, write: (value) => (value === null ? undefined : field.write(value)) };
}

/** Characters that a terminal or log interprets instead of showing. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\ufeff]/u;

function printableField(describe: string, max: number): Field<string> {
  return scalar(
    describe,
    (text) => (text === "" || text.length > max || UNPRINTABLE.test(text) ? undefined : text),
    (value) => value,
  );
}

/** Configuration field of a text for display, such as a name. */
export const nameField: Field<string> = printableField(
  "text of 1 to 100 characters, none of them a control character",
  100,
);

/** Configuration field of a file's path. */
export const pathField: Field<string> = printableField("path of a file", 4096);

/** Configuration field of `true` or `false`. */
export const boolField: Field<boolean> = scalar(
  "true or false",
  (_text, value) => (typeof value === "boolean" ? value : undefined),
  (value) => value,
);

/** Creates a configuration field of an integer of plain digits in `[min, max]`, as `bigint`. */
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

/** Creates a configuration field of an integer in `[min, max]`, as `number`. */
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

/** Creates a configuration field of a number in `[min, max]`, which may be fractional. */
export function fractionField(min: number, max: number): Field<number> {
  return scalar(
    `number from ${min} to ${max}`,
    (_text, value) => {
      const read = typeof value === "bigint" ? Number(value) : value;
      return typeof read === "number" && read >= min && read <= max ? read : undefined;
    },
    (value) => value,
  );
}

function readHex(text: string): Felt | undefined {
  return feltFromHex(text.replace(/^0X/, "0x"));
}

/** Configuration field of a felt as 0x hex. */
export const feltField: Field<Felt> = scalar(
  "felt (0x hex below the Stark prime)",
  readHex,
  hexFromFelt,
);

/** Configuration field of an L2 address or 0x0. */
export const addressOrZeroField: Field<Felt> = addressFrom(0n, "address (0x hex below 2^251)");

/** Configuration field of an L2 address. */
export const addressField: Field<Felt> = addressFrom(
  1n,
  "address (0x hex above zero, below 2^251)",
);

function addressFrom(min: bigint, describe: string): Field<Felt> {
  return scalar(
    describe,
    (text) => {
      const value = readHex(text);
      return value !== undefined && value >= min && value < 1n << 251n ? value : undefined;
    },
    hexFromFelt,
  );
}

/** Configuration field of an Ethereum address with all digits; `0x0` means no address. */
export const ethAddressField: Field<bigint> = scalar(
  "Ethereum address (0x and 40 hex digits), or 0x0",
  (text) => (/^0x(0|[0-9a-f]{40})$/i.test(text) ? BigInt(text) : undefined),
  (value) => (value === 0n ? "0x0" : `0x${value.toString(16).padStart(40, "0")}`),
);

/**
 * Creates a configuration field of a duration in milliseconds, in `[min, max]`; `min` 1 refuses
 * zero.
 */
export function durationField(min: number, max: number): Field<number> {
  const from = min > 0 ? "above zero and " : "";
  return scalar(
    `${DURATION_FORM}, ${from}at most ${formatDurationMs(max)}`,
    (text) => {
      const durationMs = parseDurationMs(text);
      return durationMs !== undefined && durationMs >= min && durationMs <= max
        ? durationMs
        : undefined;
    },
    formatDurationMs,
  );
}

/**
 * Creates a configuration field of one of `words`, case-insensitive; the value is the word as
 * listed.
 */
export function choiceField<const W extends string>(...words: readonly W[]): Field<W> {
  return scalar(
    words.join(" or "),
    (text) => words.find((word) => word.toLowerCase() === text.toLowerCase()),
    (value) => value,
  );
}

/** Configuration field of an `http` or `https` URL, without trailing slash. */
export const urlField: Field<string> = {
  describe: "http:// or https:// address",
  read(node, path, issues) {
    const text = node.kind === "scalar" && typeof node.value === "string" ? node.value : "";
    const protocol = URL.canParse(text) ? new URL(text).protocol : "";
    if (protocol === "http:" || protocol === "https:") return text.replace(/\/+$/, "");
    const got = text === "" ? node : { ...node, value: shownAddress(text) };
    return expected(issues, path, node.line, this.describe, got);
  },
  write: (value) => value,
};
