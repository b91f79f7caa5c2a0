import { DecodeError } from "#base/errors/index.ts";
import { scanJson } from "./json-scan.ts";

/**
 * A JSON document on the host. Integers beyond 2^53 are `bigint`, all other numbers are `number`;
 * a member whose value is `undefined` is not written.
 */
export type JsonValue =
  null | boolean | number | bigint | string | readonly JsonValue[] | JsonObject;

/** A JSON object; a member whose value is `undefined` is not written. */
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

/** Limits of {@link parseJson} for text from strangers. */
export interface JsonLimits {
  /** Deepest nesting of arrays and objects; default {@link DEFAULT_JSON_DEPTH}. */
  readonly maxDepth?: number;
  /** Longest text in UTF-16 units; default unlimited, because transports cap bodies in bytes. */
  readonly maxLength?: number;
  /** Most values, counted by the commas between them; default unlimited. */
  readonly maxElements?: number;
  /**
   * Most arrays, objects, members, long numbers and numbers that are not whole, together; default
   * unlimited. They cost far more memory and time than their text.
   */
  readonly maxParts?: number;
  /** Most characters of a number; default {@link DEFAULT_JSON_NUMBER_LENGTH}. */
  readonly maxNumberLength?: number;
  /** Refuse fractions and exponents that a 64-bit float would round; default `false`. */
  readonly exactNumbers?: boolean;
}

/** Default nesting limit: contract classes and traces of real networks stay far below it. */
export const DEFAULT_JSON_DEPTH = 128;

/**
 * Default length limit of numbers. The time to read digits as `bigint` grows with their square:
 * this many take microseconds, four million of them seven seconds.
 */
export const DEFAULT_JSON_NUMBER_LENGTH = 1024;

/** Whole numbers at `[start, end)` pairs become texts, so that their digits survive parsing. */
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

/** Puts the digits of a number that was quoted in `twin` into the place where it was rounded. */
function restored(plain: unknown, twin: unknown): unknown {
  if (typeof plain === "number") {
    return typeof twin === "string" && !Number.isSafeInteger(plain) ? BigInt(twin) : plain;
  }
  if (typeof plain !== "object" || plain === null) return plain;
  if (Array.isArray(plain)) {
    const elements: unknown[] = plain;
    const twins = twin as readonly unknown[];
    for (let i = 0; i < elements.length; i++) {
      const kind = typeof elements[i];
      if (kind === "number" || kind === "object") elements[i] = restored(elements[i], twins[i]);
    }
    return elements;
  }
  const members = plain as Record<string, unknown>;
  const twins = twin as Readonly<Record<string, unknown>>;
  for (const name of Object.keys(members)) {
    const kind = typeof members[name];
    // Parsing made `__proto__` an own member: assigning to it does not change the prototype.
    if (kind === "number" || kind === "object")
      members[name] = restored(members[name], twins[name]);
  }
  return members;
}

/**
 * Parses JSON without losing digits: integers outside of +-(2^53 - 1) become `bigint`.
 *
 * Limits are checked before parsing, so hostile text costs one linear scan and no stack. Of
 * repeated members the last one counts, as RFC 8259 leaves open. A number that a 64-bit float can
 * not take (`1e400`) is refused instead of becoming an infinity or zero.
 *
 * @throws {DecodeError} when the text is over a limit (`meta.limit` says which) or is not JSON
 *   (path `""`)
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
    // Both have the same shape, and only a number that was quoted is a number in one of them and
    // text in the other. A reviver with the source of each value takes ten times as long.
    return restored(plain, JSON.parse(withQuotedNumbers(text, places))) as JsonValue;
  } catch (cause) {
    throw new DecodeError("", "JSON text", { cause });
  }
}

const rawJson = (JSON as unknown as { rawJSON: (text: string) => unknown }).rawJSON;

function replaceBigint(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? rawJson(value.toString()) : value;
}

/**
 * Writes JSON; `bigint` becomes plain digits, `undefined` members are left out.
 *
 * @param indent - spaces per level; 0 (the default) writes one line
 */
export function stringifyJson(value: JsonValue, indent = 0): string {
  try {
    return JSON.stringify(value, undefined, indent);
  } catch (error) {
    // `JSON.stringify` refuses bigint; the replacer is several times slower, so it is the exception.
    if (!(error instanceof TypeError)) throw error;
    return JSON.stringify(value, replaceBigint, indent);
  }
}
