import { PageError } from "./page-error.ts";

/** Deadline of a request in milliseconds. */
const TIMEOUT_MS = 30_000;

/**
 * Sends a request to the node.
 *
 * @throws {PageError} when the node does not respond in time
 */
export async function requestNode(url: string | URL, init: RequestInit = {}): Promise<Response> {
  try {
    return await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch {
    throw new PageError("The node does not respond. The page retries when it is back.");
  }
}
