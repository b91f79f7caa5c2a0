import { AppError, NodeError, ObjectStoreError } from "#base/errors/index.ts";
import { SYSTEM_TIMER } from "#base/primitives/index.ts";
import { pause } from "#io/http/index.ts";
import type { RemoteOptions } from "./types.ts";

const TRANSIENT: ReadonlySet<string> = new Set(["NODE_UNREACHABLE"]);

/**
 * Retries until success, a permanent error, or the last attempt.
 *
 * @throws {NodeError} NODE_STOPPED once the signal is aborted
 * @throws the error of the last attempt
 */
export async function withRetries<T>(
  { attempts, pauseMs, signal }: RemoteOptions,
  request: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    if (signal.aborted) throw stopped();
    try {
      return await request();
    } catch (error) {
      if (signal.aborted) throw stopped();
      if (attempt >= attempts || !isTransient(error)) throw error;
    }
    await pause(SYSTEM_TIMER, signal, pauseMs * 2 ** (attempt - 1));
  }
}

function isTransient(error: unknown): boolean {
  if (error instanceof ObjectStoreError) return error.retryable;
  return error instanceof AppError && TRANSIENT.has(error.code);
}

function stopped(): NodeError {
  return new NodeError("NODE_STOPPED", "stopped before the end");
}
