import { turn } from "./turn.ts";

/** JSON-RPC response. */
export type RpcAnswer =
  | { readonly kind: "result"; readonly result: unknown }
  | { readonly kind: "error"; readonly code: number | undefined; readonly message: string };

/** Responses up to this size are parsed in one go: a millisecond or two. */
const AT_ONCE_BYTES = 256 << 10;

/** Bytes scanned or parsed per turn of the event loop. */
const TURN_BYTES = 512 << 10;

/** Maximum size of a response that is parsed as a whole: tens of milliseconds at worst. */
const MAX_WHOLE_BYTES = 2 << 20;

/** Maximum number of elements in a `result` that is parsed in turns. */
const MAX_ELEMENTS = 1 << 18;

/**
 * Maximum number of commas and brackets in an element, and of bytes outside its strings; a log has about
 * twenty. A short text can contain more values than fit in memory.
 */
const MAX_PARTS = 256;
const MAX_LOOSE_BYTES = 16 << 10;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const COMMA = 0x2c;

/**
 * Parses a JSON-RPC response without blocking the event loop: a long array `result` is parsed element by
 * element, in turns.
 *
 * @returns `undefined` if it is not a JSON-RPC response
 */
export async function readAnswer(bytes: Uint8Array): Promise<RpcAnswer | undefined> {
  try {
    if (bytes.byteLength <= AT_ONCE_BYTES) return answerOf(parsed(bytes));
    const place = resultArray(bytes);
    if (place === undefined) {
      return bytes.byteLength <= MAX_WHOLE_BYTES ? answerOf(parsed(bytes)) : undefined;
    }
    const array = await elements(bytes, place);
    if (array === undefined) return undefined;
    const before = new TextDecoder().decode(bytes.subarray(0, place));
    const after = new TextDecoder().decode(bytes.subarray(array.end));
    // The text around the array is short in a valid response.
    if (before.length + after.length > AT_ONCE_BYTES) return undefined;
    const rest = answerOf(JSON.parse(`${before}[]${after}`));
    return rest?.kind === "result" ? { kind: "result", result: array.values } : rest;
  } catch (cause) {
    // Unparsable, or nested more deeply than the stack allows.
    if (cause instanceof SyntaxError || cause instanceof RangeError || cause instanceof TypeError) {
      return undefined;
    }
    throw cause;
  }
}

const UTF_8 = new TextDecoder("utf-8", { fatal: true });

function parsed(bytes: Uint8Array): unknown {
  return JSON.parse(UTF_8.decode(bytes));
}

function answerOf(document: unknown): RpcAnswer | undefined {
  if (typeof document !== "object" || document === null) return undefined;
  const { result, error } = document as { readonly result?: unknown; readonly error?: unknown };
  if (typeof error === "object" && error !== null) {
    const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
    return {
      kind: "error",
      code: typeof code === "number" ? code : undefined,
      message: typeof message === "string" ? message : "an error without a message",
    };
  }
  return result === undefined ? undefined : { kind: "result", result };
}

/** Maximum offset of the `result`: it follows the version and the id. */
const HEAD_BYTES = 1024;
const RESULT =
  /^\s*\{(?:\s*"(?:jsonrpc|id)"\s*:\s*(?:"[^"\\]*"|\d+|null)\s*,)*\s*"result"\s*:\s*\[/;

/** Returns the offset of an array `result`; `undefined` if it is not at the start of the response. */
function resultArray(bytes: Uint8Array): number | undefined {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, HEAD_BYTES));
  const match = RESULT.exec(head);
  return match === null ? undefined : match[0].length - 1;
}

interface ParsedArray {
  readonly values: readonly unknown[];
  /** Offset after its closing bracket. */
  readonly end: number;
}

async function elements(bytes: Uint8Array, start: number): Promise<ParsedArray | undefined> {
  const values: unknown[] = [];
  let from = start + 1;
  let depth = 0;
  let turnFrom = start;
  let parts = 0;
  let textBytes = 0;
  for (let at = start; at < bytes.byteLength; at++) {
    switch (bytes[at]) {
      case QUOTE: {
        const end = closingQuote(bytes, at + 1);
        textBytes += end - at;
        at = end;
        break;
      }
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        depth++;
        parts++;
        break;
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        depth--;
        if (depth > 0) break;
        if (values.length > 0 || hasText(bytes, from, at))
          values.push(parsed(bytes.subarray(from, at)));
        return { values, end: at + 1 };
      case COMMA:
        parts++;
        if (depth > 1) break;
        if (values.length >= MAX_ELEMENTS) return undefined;
        values.push(parsed(bytes.subarray(from, at)));
        from = at + 1;
        parts = 0;
        textBytes = 0;
        break;
      default:
    }
    if (parts > MAX_PARTS || at - from - textBytes > MAX_LOOSE_BYTES) return undefined;
    if (at - turnFrom > TURN_BYTES) {
      turnFrom = at;
      await turn();
    }
  }
  return undefined;
}

/**
 * Finds the closing quote. `indexOf` is far faster than a loop, and responses are mostly long strings without
 * escapes.
 */
function closingQuote(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(QUOTE, from); at !== -1; at = bytes.indexOf(QUOTE, at + 1)) {
    let escapes = 0;
    while (bytes[at - 1 - escapes] === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return at;
  }
  return bytes.byteLength;
}

function hasText(bytes: Uint8Array, from: number, to: number): boolean {
  return bytes.subarray(from, to).some((byte) => byte > 0x20);
}
