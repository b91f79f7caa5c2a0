import type { Endpoint } from "./endpoint.ts";
import { exchange, type HttpAnswer } from "./exchange.ts";
import { linkedSignal } from "./linked-signal.ts";

/** A question in JSON, and what is taken of an answer. */
export interface JsonPost {
  readonly endpoint: Pick<Endpoint, "url" | "headers">;
  /** JSON. */
  readonly body: string;
  /** Longest body of an answer, bytes before decompression and after. */
  readonly maxAnswerBytes: number;
  /** For the whole answer, milliseconds. */
  readonly timeoutMs: number;
  /** Ends it at once. */
  readonly signal: AbortSignal;
}

/** What came back, or why nothing did. */
export type JsonPosted =
  | HttpAnswer
  /** By the signal of whoever asked. */
  | { readonly kind: "stopped"; readonly cause: unknown }
  | { readonly kind: "timedOut"; readonly cause: unknown }
  /** Nobody answers, or the connection broke. */
  | { readonly kind: "unreachable"; readonly cause: unknown };

/** Posts JSON to an endpoint's own address. Never rejects: what failed is a value. */
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
