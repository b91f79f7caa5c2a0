import { NodeError } from "#base/errors/index.ts";
import { type BoundedBody, readBounded } from "./bounded-body.ts";
import type { Endpoint } from "./endpoint.ts";

/** A request over HTTP, and how much of an answer is taken. */
export interface HttpRequest {
  readonly endpoint: Pick<Endpoint, "url" | "headers">;
  /** Goes behind the endpoint's address, with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | undefined;
  /** Longest body of an answer, bytes before decompression and after. */
  readonly maxAnswerBytes: number;
  /** Ends it at once, the reading of the body as well. */
  readonly signal: AbortSignal;
  /** Told when the head of the answer is there (0 bytes), of each chunk of its body, and of what unpacking adds. */
  readonly onProgress: (sizeBytes: number) => void;
}

/** How something is asked over HTTP. */
export type HttpMethod = "GET" | "POST" | "PUT" | "DELETE";

/** What came back. */
export type HttpAnswer =
  | {
      readonly kind: "answered";
      readonly status: number;
      readonly headers: Headers;
      readonly bytes: Uint8Array<ArrayBuffer>;
    }
  /** It leads to another address, and was not followed: nobody has chosen that one. */
  | { readonly kind: "elsewhere"; readonly status: number }
  | Exclude<BoundedBody, { readonly kind: "whole" }>;

/**
 * One request and its answer, within bounds: POST where there is a body, else GET.
 *
 * @throws {NodeError} NODE_UNREACHABLE when nobody answers or the connection breaks
 * @throws the reason of the signal when it is aborted
 */
export function exchange(request: HttpRequest): Promise<HttpAnswer> {
  return exchangeBy(request.body === undefined ? "GET" : "POST", request);
}

/**
 * As {@link exchange}, by a method of choice.
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
    // Bun would decompress without a bound.
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

/** Whether an exchange has failed before anything was sent: nobody can have got the request. */
export function isUnsent(cause: unknown): boolean {
  return cause instanceof NodeError && UNSENT_CODES.has(String(cause.meta["reason"]));
}

/** A failure without the address, the headers and the texts that the runtime's own one may hold. */
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
