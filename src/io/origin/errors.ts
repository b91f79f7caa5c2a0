import { OriginError } from "#base/errors/index.ts";

/** Creates the error for an origin that does not respond in time, or asks to wait; a retry may help. */
export function unavailable(message: string, cause?: unknown): OriginError {
  return new OriginError("ORIGIN_UNAVAILABLE", message, true, { cause });
}

/** Creates the error for a request that the origin rejects; a retry would not help. */
export function refused(message: string, cause?: unknown): OriginError {
  return new OriginError("ORIGIN_REFUSED", message, false, { cause });
}

/** Creates the error for a response that is malformed or contradicts what is known of the origin. */
export function wrongAnswer(message: string, cause?: unknown): OriginError {
  return new OriginError("ORIGIN_BAD_ANSWER", message, false, { cause });
}

/** Creates the error for an origin whose fork block has another hash than the one that was pinned. */
export function changed(message: string): OriginError {
  return new OriginError("ORIGIN_CHANGED", message, false);
}

/** Creates the error for an origin that this program cannot fork: its version, chain or protocol. */
export function unsupported(message: string): OriginError {
  return new OriginError("ORIGIN_UNSUPPORTED", message, false);
}
