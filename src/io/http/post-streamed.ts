import type { Timer } from "#base/primitives/index.ts";
import { BodyChunks, type BodyFailure } from "./body-chunks.ts";
import type { Endpoint } from "./endpoint.ts";
import { connectionFailure } from "./exchange.ts";
import { linkedSignal } from "./linked-signal.ts";

/** JSON request whose response is read while it arrives. */
export interface StreamedPost<T> {
  readonly endpoint: Pick<Endpoint, "url" | "headers">;
  readonly body: string;
  /** Maximum wait for the response head, and then for each next KiB; milliseconds. */
  readonly idleTimeoutMs: number;
  /** Maximum size of a response body in bytes, both before and after decompression. */
  readonly maxAnswerBytes: number;
  readonly signal: AbortSignal;
  readonly timer: Timer;
  /** Reads the decompressed body. {@link postStreamed} rethrows its exceptions, unless the chunks threw. */
  readonly read: (status: number, chunks: AsyncIterable<Uint8Array>) => Promise<T>;
}

/** Result of reading a response, or the reason why it failed. */
export type StreamedAnswer<T> =
  | { readonly kind: "read"; readonly value: T }
  /** Redirect, which is not followed. */
  | { readonly kind: "elsewhere"; readonly status: number }
  | { readonly kind: "stopped"; readonly cause: unknown }
  /** The response head did not arrive in time. */
  | { readonly kind: "timedOut"; readonly cause: unknown }
  /** No response, or the connection broke before the body. */
  | { readonly kind: "unreachable"; readonly cause: unknown }
  /** The body could not be read to its end. */
  | { readonly kind: BodyFailure; readonly cause: unknown };

/**
 * Posts JSON to an endpoint's URL and reads the response while it arrives, at the reader's speed. The
 * response may have any length up to the limit and take any time in total.
 *
 * @throws what `read` throws
 */
export async function postStreamed<T>(post: StreamedPost<T>): Promise<StreamedAnswer<T>> {
  const { signal, idleTimeoutMs, maxAnswerBytes, timer } = post;
  const late = new AbortController();
  const ended = linkedSignal([late.signal, signal]);
  const cancel = timer.after(idleTimeoutMs, () => late.abort());
  try {
    let response: Response;
    try {
      response = await send(post, ended.signal);
    } catch (cause) {
      if (signal.aborted) return { kind: "stopped", cause };
      const failure = connectionFailure(cause);
      return { kind: late.signal.aborted ? "timedOut" : "unreachable", cause: failure };
    } finally {
      cancel();
    }
    const { status } = response;
    if (status >= 300 && status < 400) return { kind: "elsewhere", status };
    const bounds = { idleTimeoutMs, maxBytes: maxAnswerBytes, timer };
    const chunks = new BodyChunks(response, bounds);
    try {
      return { kind: "read", value: await post.read(status, chunks) };
    } catch (error) {
      if (chunks.failure === undefined) throw error;
      return { kind: signal.aborted ? "stopped" : chunks.failure, cause: error };
    }
  } finally {
    // Closes the connection if the body was not read to its end.
    late.abort();
    ended.unlink();
  }
}

function send<T>({ endpoint, body }: StreamedPost<T>, signal: AbortSignal): Promise<Response> {
  return fetch(endpoint.url, {
    method: "POST",
    headers: {
      "accept-encoding": "gzip",
      ...endpoint.headers,
      "content-type": "application/json",
    },
    body,
    redirect: "manual",
    // Decompressed by {@link BodyChunks}, with a limit.
    decompress: false,
    signal,
  });
}
