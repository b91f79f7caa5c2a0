import { OriginError } from "#base/errors/index.ts";

/**
 * Creates an ORIGIN_UNAVAILABLE error: the origin does not respond in time, or limits the rate of
 * requests; a retry may help.
 */
export function unavailable(message: string, cause?: unknown): OriginError {
  return new OriginError("ORIGIN_UNAVAILABLE", message, true, { cause });
}

/** Creates an ORIGIN_REFUSED error: the origin rejects a request; a retry would not help. */
export function refused(message: string, cause?: unknown): OriginError {
  return new OriginError("ORIGIN_REFUSED", message, false, { cause });
}

/**
 * Creates an ORIGIN_BAD_ANSWER error: a response is malformed, or contradicts what is known of the
 * origin.
 */
export function wrongAnswer(message: string, cause?: unknown): OriginError {
  return new OriginError("ORIGIN_BAD_ANSWER", message, false, { cause });
}

/**
 * Creates an ORIGIN_CHANGED error: the fork block has another hash, or the origin another chain id,
 * than at the start of the fork.
 */
export function changed(message: string): OriginError {
  return new OriginError("ORIGIN_CHANGED", message, false);
}

/**
 * Creates an ORIGIN_UNSUPPORTED error: this program cannot fork the origin because of its version,
 * chain or protocol.
 */
export function unsupported(message: string): OriginError {
  return new OriginError("ORIGIN_UNSUPPORTED", message, false);
}
