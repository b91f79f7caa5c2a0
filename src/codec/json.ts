import { DecodeError } from "#errors/index.ts";

/**
 * A JSON document on the host. Integers beyond 2^53 are `bigint`, all other numbers are `number`;
 * a member whose value is `undefined` is not written.
 */
export type JsonValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue | undefined };

/** Limits of {@link parseJson} for text from strangers. */
export interface JsonLimits {
  /** Deepest nesting of arrays and objects; default {@link DEFAULT_JSON_DEPTH}. */
  readonly maxDepth?: number;
  /** Longest text in UTF-16 units; default unlimited, because transports cap bodies in bytes. */
  readonly maxLength?: number;
}

/** Default nesting limit: contract classes and traces of real networks stay far below it. */
export const DEFAULT_JSON_DEPTH = 128;

/** A long run of digits outside of a hex text: only then can a number lose precision. */
const LONG_INTEGER = /(?:^|[[,:\s])-?\d{16}/;
const INTEGER = /^-?\d+$/;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The first index after the text literal that opens at `start`, or the length when it never ends. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let first = end - 1;
    while (text.charCodeAt(first) === BACKSLASH) first--;
    // An even number of backslashes before the quote: none of them escapes it.
    if ((end - first) % 2 === 1) return end;
  }
  return text.length;
}

/** Whether arrays and objects nest deeper than `limit`; the text need not be valid JSON. */
function nestsDeeperThan(text: string, limit: number): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === QUOTE) i = endOfString(text, i);
    else if (unit === 0x5b || unit === 0x7b) {
      if (++depth > limit) return true;
    } else if (unit === 0x5d || unit === 0x7d) depth--;
  }
  return false;
}

/** Keeps the digits of unsafe integers; everything else stays what `JSON.parse` made of it. */
function reviveInteger(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  const source = context?.source;
  return source !== undefined && INTEGER.test(source) ? BigInt(source) : value;
}

/**
 * Parses JSON without losing digits: integers outside of +-(2^53 - 1) become `bigint`.
 *
 * Nesting is checked before parsing, so hostile text costs one linear scan and no stack. Of
 * repeated members the last one counts, as RFC 8259 leaves open.
 *
 * @throws {DecodeError} when the text is too long, nests too deep or is not JSON (path `""`)
 */
export function parseJson(text: string, limits: JsonLimits = {}): JsonValue {
  const maxDepth = limits.maxDepth ?? DEFAULT_JSON_DEPTH;
  if (limits.maxLength !== undefined && text.length > limits.maxLength) {
    throw new DecodeError("", `JSON text of at most ${limits.maxLength} characters`);
  }
  if (nestsDeeperThan(text, maxDepth)) {
    throw new DecodeError("", `JSON that nests at most ${maxDepth} levels deep`);
  }
  try {
    return (
      LONG_INTEGER.test(text) ? JSON.parse(text, reviveInteger) : JSON.parse(text)
    ) as JsonValue;
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
