import { DecodeError } from "#base/errors/index.ts";
import { scanJson } from "./json-scan.ts";

/**
 * JSON value. Integers beyond 2^53 are `bigint`, all other numbers are `number`; `undefined` members are not
 * written.
 */
export type JsonValue =
  null | boolean | number | bigint | string | readonly JsonValue[] | JsonObject;

/** JSON object; `undefined` members are not written. */
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

/** Limits of {@link parseJson} for untrusted text. */
export interface JsonLimits {
  /** Maximum nesting of arrays and objects; default {@link DEFAULT_JSON_DEPTH}. */
  readonly maxDepth?: number;
  /** Maximum length in UTF-16 units; default unlimited, because transports cap bodies in bytes. */
  readonly maxLength?: number;
  /** Maximum number of values, counted by their separating commas; default unlimited. */
  readonly maxElements?: number;
  /**
   * Maximum number of arrays, objects, members, long numbers and non-integers together; default unlimited.
   * They cost far more memory and time than their text.
   */
  readonly maxParts?: number;
  /** Maximum number of characters of a number; default {@link DEFAULT_JSON_NUMBER_LENGTH}. */
  readonly maxNumberLength?: number;
  /** Whether to refuse fractions and exponents that a 64-bit float would round; default `false`. */
  readonly exactNumbers?: boolean;
}

/** Default nesting limit; contract classes and traces of real networks stay far below it. */
export const DEFAULT_JSON_DEPTH = 128;

/**
 * Default length limit of numbers. Parsing digits as `bigint` takes quadratic time: this many take
 * microseconds, four million take seven seconds.
 */
export const DEFAULT_JSON_NUMBER_LENGTH = 1024;

/** Quotes the integers at the `[start, end)` pairs, so that their digits survive parsing. */
function withQuotedNumbers(text: string, places: readonly number[]): string {
  const pieces: string[] = [];
  let from = 0;
  for (let i = 0; i < places.length; i += 2) {
    const start = places[i] ?? 0;
    const end = places[i + 1] ?? start;
    pieces.push(text.slice(from, start), '"', text.slice(start, end), '"');
    from = end;
  }
  pieces.push(text.slice(from));
  return pieces.join("");
}

/** Replaces rounded numbers with the exact digits that `twin` holds as strings. */
function restoreNumbers(plain: unknown, twin: unknown): unknown {
  if (typeof plain === "number") {
    return typeof twin === "string" && !Number.isSafeInteger(plain) ? BigInt(twin) : plain;
  }
  if (typeof plain !== "object" || plain === null) return plain;
  if (Array.isArray(plain)) {
    const elements: unknown[] = plain;
    const twins = twin as readonly unknown[];
    for (let i = 0; i < elements.length; i++) {
      const kind = typeof elements[i];
      if (kind === "number" || kind === "object")
        elements[i] = restoreNumbers(elements[i], twins[i]);
    }
    return elements;
  }
  const members = plain as Record<string, unknown>;
  const twins = twin as Readonly<Record<string, unknown>>;
  for (const name of Object.keys(members)) {
    const kind = typeof members[name];
    // Parsing made `__proto__` an own member, so assigning to it does not change the prototype.
    if (kind === "number" || kind === "object")
      members[name] = restoreNumbers(members[name], twins[name]);
  }
  return members;
}

/**
 * Parses JSON without losing digits: integers outside ±(2^53 - 1) become `bigint`.
 *
 * Limits are checked before parsing, so hostile text costs one linear scan and no stack. The last of repeated
 * members wins, which RFC 8259 permits. A number beyond the range of a 64-bit float (`1e400`) is refused
 * instead of becoming infinity or zero.
 *
 * @throws {DecodeError} when the text exceeds a limit (`meta.limit` names it) or is not JSON (path `""`)
 */
export function parseJson(text: string, limits: JsonLimits = {}): JsonValue {
  if (limits.maxLength !== undefined && text.length > limits.maxLength) {
    throw new DecodeError("", `JSON text of at most ${limits.maxLength} characters`, {
      meta: { limit: "length" },
    });
  }
  const places = scanJson(text, {
    maxDepth: limits.maxDepth ?? DEFAULT_JSON_DEPTH,
    maxElements: limits.maxElements ?? Infinity,
    maxParts: limits.maxParts ?? Infinity,
    maxNumberLength: limits.maxNumberLength ?? DEFAULT_JSON_NUMBER_LENGTH,
    exactNumbers: limits.exactNumbers ?? false,
  });
  try {
    const plain = JSON.parse(text) as JsonValue;
    if (places.length === 0) return plain;
    // Both have the same shape; they differ only where a quoted number is a number in one and text in the
    // other. A reviver with source access takes ten times as long.
    return restoreNumbers(plain, JSON.parse(withQuotedNumbers(text, places))) as JsonValue;
  } catch (cause) {
    throw new DecodeError("", "JSON text", { cause });
  }
}

const rawJson = (JSON as unknown as { rawJSON: (text: string) => unknown }).rawJSON;

function replaceBigint(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? rawJson(value.toString()) : value;
}

/**
 * Writes JSON; `bigint` becomes plain digits, `undefined` members are omitted.
 *
 * @param indent - spaces per level; 0 (the default) writes one line
 */
export function stringifyJson(value: JsonValue, indent = 0): string {
  try {
    return JSON.stringify(value, undefined, indent);
  } catch (error) {
    // `JSON.stringify` refuses bigint. The replacer is several times slower, so it is only the fallback.
    if (!(error instanceof TypeError)) throw error;
    return JSON.stringify(value, replaceBigint, indent);
  }
}
