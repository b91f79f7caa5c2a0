import type { Endpoint } from "./endpoint.ts";
import { exchange, type HttpAnswer } from "./exchange.ts";
import { linkedSignal } from "./linked-signal.ts";

/** JSON request with limits for its response. */
export interface JsonPost {
  readonly endpoint: Pick<Endpoint, "url" | "headers">;
  readonly body: string;
  /** Maximum size of a response body in bytes, both before and after decompression. */
  readonly maxAnswerBytes: number;
  /** Timeout of the complete response in milliseconds. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Response, or the reason why it is missing. */
export type JsonPosted =
  | HttpAnswer
  /** Aborted by the caller's signal. */
  | { readonly kind: "stopped"; readonly cause: unknown }
  | { readonly kind: "timedOut"; readonly cause: unknown }
  /** No response, or the connection broke. */
  | { readonly kind: "unreachable"; readonly cause: unknown };

/** Posts JSON to an endpoint's URL. Never rejects: failures are returned as values. */
export async function postJson(post: JsonPost): Promise<JsonPosted> {
  const { endpoint, body, maxAnswerBytes, timeoutMs, signal } = post;
  const timeout = AbortSignal.timeout(timeoutMs);
  const ended = linkedSignal([timeout, signal]);
  try {
    return await exchange({
      endpoint,
      path: "",
      headers: { "content-type": "application/json" },
      body,
      maxAnswerBytes,
      signal: ended.signal,
      onProgress: () => undefined,
    });
  } catch (cause) {
    if (signal.aborted) return { kind: "stopped", cause };
    return { kind: timeout.aborted ? "timedOut" : "unreachable", cause };
  } finally {
    ended.unlink();
  }
}
