import {
  emptyReply,
  type HttpReply,
  type HttpRequest,
  jsonReply,
  streamOf,
} from "#api/rpc/index.ts";
import { type JsonValue, stringifyJson } from "#base/codec/index.ts";
import type { LongAnswer } from "./long-answer.ts";

/** How long HTTP caches may keep a response without asking again. */
export type Freshness =
  /** For one year, the longest customary age. */
  | "immutable"
  /** Only with revalidation: the response is current while its ETag matches. */
  | "revalidate";

/** Cache metadata of a response, known before the body is computed. */
export interface Tagged {
  /** Identifies everything that the response depends on; without quotes. */
  readonly tag: string;
  readonly freshness: Freshness;
}

const CACHE_CONTROL = {
  immutable: "public, max-age=31536000, immutable",
  revalidate: "no-cache",
} as const satisfies Record<Freshness, string>;

/**
 * Returns a 304 when the client already has the response, otherwise `undefined`.
 *
 * Tags are weak (RFC 9110, section 8.8.1): the same response may be compressed or not.
 */
export function notModified(request: HttpRequest, tagged: Tagged): HttpReply | undefined {
  const etags = request.headers.get("if-none-match");
  if (etags === null) return undefined;
  const isKnown =
    etags.trim() === "*" || etags.split(",").some((each) => opaque(each.trim()) === tagged.tag);
  return isKnown ? emptyReply(304, headersOf(tagged)) : undefined;
}

/** Builds a response with cache headers. */
export function taggedReply(body: string | Uint8Array, tagged: Tagged): HttpReply {
  return jsonReply(body, 200, headersOf(tagged));
}

/** Builds a response with cache headers for a body that may be streamed. */
export function longReply({ bytes, rest }: LongAnswer, tagged: Tagged): HttpReply {
  if (rest === undefined) return taggedReply(bytes, tagged);
  return { ...taggedReply(bytes, tagged), body: null, stream: streamOf([bytes], rest) };
}

/** Builds a short response tagged with the hash of its body; 304 when the client already has it. */
export function pointReply(
  request: HttpRequest,
  answer: JsonValue,
  freshness: Freshness = "revalidate",
): HttpReply {
  const body = stringifyJson(answer);
  const tagged = { tag: Bun.hash(body).toString(36), freshness };
  return notModified(request, tagged) ?? taggedReply(body, tagged);
}

/**
 * Builds a response from a query thread's bytes, tagged with their hash; 304 when the client already has it.
 * The bytes are sent without parsing: they may contain millions of values.
 */
export function bytesReply(request: HttpRequest, body: Uint8Array): HttpReply {
  const tagged = { tag: Bun.hash(body).toString(36), freshness: "revalidate" } as const;
  return notModified(request, tagged) ?? taggedReply(body, tagged);
}

function headersOf({ tag, freshness }: Tagged): Readonly<Record<string, string>> {
  return { etag: `W/"${tag}"`, "cache-control": CACHE_CONTROL[freshness] };
}

function opaque(etag: string): string | undefined {
  return /^(?:W\/)?"(.*)"$/.exec(etag)?.[1];
}
