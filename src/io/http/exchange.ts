import { NodeError } from "#base/errors/index.ts";
import { type BoundedBody, readBounded } from "./bounded-body.ts";
import type { Endpoint } from "./endpoint.ts";

/** HTTP request with limits for its response. */
export interface HttpRequest {
  readonly endpoint: Pick<Endpoint, "url" | "headers">;
  /** Appended to the endpoint's URL; includes the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | undefined;
  /** Maximum size of a response body in bytes, both before and after decompression. */
  readonly maxAnswerBytes: number;
  /** Aborts the request immediately, also while its body is being read. */
  readonly signal: AbortSignal;
  /**
   * Called with 0 when the response head arrives, then with the size of each body chunk in bytes, and with
   * the size that decompression adds.
   */
  readonly onProgress: (sizeBytes: number) => void;
}

/** HTTP methods that requests use. */
export type HttpMethod = "GET" | "POST" | "PUT" | "DELETE";

/** Response to an HTTP request. */
export type HttpAnswer =
  | {
      readonly kind: "answered";
      readonly status: number;
      readonly headers: Headers;
      readonly bytes: Uint8Array<ArrayBuffer>;
    }
  /** Redirect, which is not followed: its target is not a configured address. */
  | { readonly kind: "elsewhere"; readonly status: number }
  | Exclude<BoundedBody, { readonly kind: "whole" }>;

/**
 * Sends one request and reads its response within limits; POST if there is a body, otherwise GET.
 *
 * @throws {NodeError} NODE_UNREACHABLE when the server does not respond or the connection breaks
 * @throws the signal's reason when it is aborted
 */
export function exchange(request: HttpRequest): Promise<HttpAnswer> {
  return exchangeBy(request.body === undefined ? "GET" : "POST", request);
}

/**
 * Same as {@link exchange}, with an explicit method.
 *
 * @throws {NodeError} as {@link exchange}
 */
export async function exchangeBy(method: HttpMethod, request: HttpRequest): Promise<HttpAnswer> {
  try {
    return await send(method, request);
  } catch (cause) {
    throw request.signal.aborted ? cause : connectionFailure(cause);
  }
}

async function send(method: HttpMethod, request: HttpRequest): Promise<HttpAnswer> {
  const { endpoint, path, body, signal, maxAnswerBytes, onProgress } = request;
  const response = await fetch(endpoint.url + path, {
    method,
    headers: { "accept-encoding": "gzip", ...endpoint.headers, ...request.headers },
    ...(body === undefined ? {} : { body }),
    redirect: "manual",
    // Bun would decompress without a limit.
    decompress: false,
    signal,
  });
  onProgress(0);
  const { status, headers } = response;
  if (status >= 300 && status < 400) {
    await response.body?.cancel();
    return { kind: "elsewhere", status };
  }
  const read = await readBounded(response, maxAnswerBytes, onProgress, signal);
  return read.kind === "whole" ? { kind: "answered", status, headers, bytes: read.bytes } : read;
}

/** Whether the request failed before it was sent, so that no server can have received it. */
export function isUnsent(cause: unknown): boolean {
  return cause instanceof NodeError && UNSENT_CODES.has(String(cause.meta["reason"]));
}

/** Creates an error without the address, headers and texts that the runtime's error may contain. */
export function connectionFailure(cause: unknown): NodeError {
  const { code } = cause as { readonly code?: unknown };
  const reason = typeof code === "string" && /^\w{1,64}$/.test(code) ? code : "unknown";
  const message = `the connection failed (${reason})`;
  return new NodeError("NODE_UNREACHABLE", message, { meta: { reason } });
}

const UNSENT_CODES: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ConnectionRefused",
  "FailedToOpenSocket",
]);
