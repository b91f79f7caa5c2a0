import {
  emptyReply,
  type HttpReply,
  type HttpRequest,
  jsonReply,
  streamOf,
} from "#api/rpc/index.ts";
import { type JsonValue, stringifyJson } from "#base/codec/index.ts";
import type { LongAnswer } from "./long-answer.ts";

/** How long an answer may be kept. */
export type Freshness =
  /** For good: a year, as long as anything is kept. */
  | "immutable"
  /** Until it is asked for again: it is the same if its ETag is. */
  | "revalidate";

/** An answer, before it is known whether the client has it already. */
export interface Tagged {
  /** Names all that the answer depends on, without quotes. */
  readonly tag: string;
  readonly freshness: Freshness;
}

const CACHE_CONTROL = {
  immutable: "public, max-age=31536000, immutable",
  revalidate: "no-cache",
} as const satisfies Record<Freshness, string>;

/**
 * A 304 when the client has the answer already; `undefined` when it has not.
 *
 * Tags are weak (RFC 9110, section 8.8.1): the same answer may be compressed or not.
 */
export function notModified(request: HttpRequest, tagged: Tagged): HttpReply | undefined {
  const given = request.headers.get("if-none-match");
  if (given === null) return undefined;
  const isKnown =
    given.trim() === "*" || given.split(",").some((each) => opaque(each.trim()) === tagged.tag);
  return isKnown ? emptyReply(304, headersOf(tagged)) : undefined;
}

/** The answer with what caches need to know of it. */
export function taggedReply(body: string | Uint8Array, tagged: Tagged): HttpReply {
  return jsonReply(body, 200, headersOf(tagged));
}

/** The same for an answer of which only the beginning is there. */
export function longReply({ bytes, rest }: LongAnswer, tagged: Tagged): HttpReply {
  if (rest === undefined) return taggedReply(bytes, tagged);
  return { ...taggedReply(bytes, tagged), body: null, stream: streamOf([bytes], rest) };
}

/** A short answer, tagged by what it says: 304 when the client has it. */
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
 * An answer that a query thread made and that nothing but its bytes names: 304 when the client has it.
 * Its bytes go out as they are: there may be millions of values in them.
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
