import type { RateLimiter } from "../limits/rate-limiter.ts";
import { type BodyReading, readBodyText } from "./body.ts";
import type { OriginCheck } from "./origins.ts";
import type { Passage } from "./routing.ts";
import type { Unpacker } from "./unpacker.ts";

/** Dependencies for reading POST bodies. */
export interface PostDeps {
  readonly isOriginAllowed: OriginCheck;
  /** Maximum bytes of a body, before and after decompression. */
  readonly maxBodyBytes: number;
  readonly unpacker: Unpacker;
  /** Limits calls per address; `null` for no limit. */
  readonly rateLimiter: RateLimiter | null;
}

/** A longer body of a refused request is not read, not even for its id. */
export const SHORT_REFUSED_BYTES = 4_096;

/**
 * Reads the text of a body, or the reason for refusing it.
 *
 * Bodies are limited while they arrive, before anything is stored, and again while they are decompressed.
 * Hono's body limit would need a real `Request` with a stream, and checks only the compressed size.
 */
export function readPost(
  { isOriginAllowed, maxBodyBytes, unpacker }: PostDeps,
  { request, origin }: Passage,
): BodyReading | Promise<BodyReading> {
  if (origin !== null && !isOriginAllowed(origin) && !declaresJson(request.headers)) {
    const reason = "pages of this origin may not call this node";
    return { kind: "refused", status: 403, reason, headers: {} };
  }
  return readBodyText(request, maxBodyBytes, unpacker);
}

/**
 * Whether the content type makes a browser send a preflight for a foreign page. A form post is sent without
 * one (CORS calls it a simple request), so omitting CORS headers from the response would be too late.
 */
function declaresJson(headers: Passage["request"]["headers"]): boolean {
  return (headers.get("content-type") ?? "").toLowerCase().startsWith("application/json");
}
