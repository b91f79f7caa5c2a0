import type { Timer } from "#base/primitives/index.ts";
import { BodyChunks, type BodyFailure } from "./body-chunks.ts";
import type { Endpoint } from "./endpoint.ts";
import { connectionFailure } from "./exchange.ts";
import { linkedSignal } from "./linked-signal.ts";

/** A question in JSON whose answer is read while it arrives. */
export interface StreamedPost<T> {
  readonly endpoint: Pick<Endpoint, "url" | "headers">;
  /** JSON. */
  readonly body: string;
  /** Longest wait for the head of the answer, and then for its next KiB; milliseconds. */
  readonly idleTimeoutMs: number;
  /** Longest body of an answer, bytes before decompression and after. */
  readonly maxAnswerBytes: number;
  /** Ends it at once. */
  readonly signal: AbortSignal;
  readonly timer: Timer;
  /**
   * Reads the body, which is decompressed. What it throws is thrown by {@link postStreamed}, unless the
   * chunks threw.
   */
  readonly read: (status: number, chunks: AsyncIterable<Uint8Array>) => Promise<T>;
}

/** What was read of an answer, or why it was not. */
export type StreamedAnswer<T> =
  | { readonly kind: "read"; readonly value: T }
  /** It leads to another address, and was not followed. */
  | { readonly kind: "elsewhere"; readonly status: number }
  | { readonly kind: "stopped"; readonly cause: unknown }
  /** No head of an answer came in time. */
  | { readonly kind: "timedOut"; readonly cause: unknown }
  /** Nobody answers, or the connection broke before there was a body. */
  | { readonly kind: "unreachable"; readonly cause: unknown }
  /** The body could not be read to its end. */
  | { readonly kind: BodyFailure; readonly cause: unknown };

/**
 * Posts JSON to an endpoint's own address, and reads an answer of any length as it comes: as fast as it is
 * read, and with no bound on the time of the whole.
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
    // Closes the connection where the body was not read to its end.
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
    // Decompressing is ours: it has a bound.
    decompress: false,
    signal,
  });
}
