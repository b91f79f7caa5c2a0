import { array, integer, json, parseJson, stringifyJson, text } from "#base/codec/index.ts";
import { DecodeError } from "#base/errors/index.ts";

/** Position in the events of an origin after a page. */
export interface EventPosition {
  /** Name of the URL that returned the page: others do not know its token, or take it for another position. */
  readonly url: string;
  /** Token of that URL. */
  readonly token: string;
  /** Block of the last event before the position; the first block of the search before any event. */
  readonly block: number;
  /** Number of events of this block that match the filter and precede the position. */
  readonly count: number;
}

const parts = array(json);

/** Encodes a position as the token of the next page. */
export function encodePosition({ url, token, block, count }: EventPosition): string {
  return stringifyJson([url, block, count, token]);
}

/** Decodes a token; `undefined` unless {@link encodePosition} can have made it. */
export function decodePosition(encoded: string): EventPosition | undefined {
  try {
    const [url, block, count, token] = parts.decode(parseJson(encoded), "");
    return {
      url: text.decode(url, ""),
      token: text.decode(token, ""),
      block: integer().decode(block, ""),
      count: integer().decode(count, ""),
    };
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}
