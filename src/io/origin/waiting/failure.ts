import { AppError, OriginError } from "#base/errors/index.ts";
import { describeError } from "#base/telemetry/index.ts";

/** Members of an {@link OriginError} that cross threads. */
interface Failure {
  readonly code: `ORIGIN_${string}`;
  readonly message: string;
  readonly retryable: boolean;
}

/** Maximum length of an error's text in characters; the page of a waiting thread is longer. */
const MAX_TEXT = 8_192;

/**
 * Encodes an error for the waiting thread; an error other than an {@link OriginError} gets the code
 * ORIGIN_FAILED.
 */
export function encodeFailure(error: unknown): Uint8Array {
  const failure: Failure =
    error instanceof OriginError
      ? {
          code: error.code as Failure["code"],
          message: error.message.slice(0, MAX_TEXT),
          retryable: error.retryable,
        }
      : { code: "ORIGIN_FAILED", message: describe(error).slice(0, MAX_TEXT), retryable: false };
  return new TextEncoder().encode(JSON.stringify(failure));
}

/** Decodes an error from the bytes of {@link encodeFailure}, which the same process wrote. */
export function decodeFailure(bytes: Uint8Array): OriginError {
  const { code, message, retryable } = JSON.parse(new TextDecoder().decode(bytes)) as Failure;
  return new OriginError(code, message, retryable);
}

function describe(error: unknown): string {
  return error instanceof AppError ? error.message : describeError(error);
}
