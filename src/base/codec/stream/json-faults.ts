import { DecodeError } from "#base/errors/index.ts";

/** Name of the limit that streamed JSON exceeds: `meta.limit` of the error of {@link overLimit}. */
export type StreamLimit =
  "depth" | "text" | "number" | "blanks" | "skipped" | "elements" | "memory";

/**
 * Creates the error for bytes that are not JSON; `meta.json` is `"malformed"`.
 *
 * @param offset - position of the first wrong byte, from 0
 */
export function malformed(place: string, expected: string, offset: number): DecodeError {
  const message = `${expected} at byte ${offset}`;
  return new DecodeError(place, message, { meta: { json: "malformed" } });
}

/** Creates the error for JSON that ends before its outermost value does; `meta.json` is `"cut"`. */
export function cutOff(place: string, lengthBytes: number): DecodeError {
  const message = `more JSON than the ${lengthBytes} bytes that arrived`;
  return new DecodeError(place, message, { meta: { json: "cut" } });
}

/** Creates the error for JSON that exceeds a limit; `meta.limit` names it. */
export function overLimit(place: string, limit: StreamLimit, expected: string): DecodeError {
  return new DecodeError(place, expected, { meta: { limit } });
}
