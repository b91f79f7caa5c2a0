import type { Context, Handler } from "hono";
import type { HttpReply, HttpRequest } from "./message.ts";

/** Answers a routed request; returns synchronously unless it has to wait. */
export type RouteAnswer = (passage: Passage) => HttpReply | Promise<HttpReply>;

/**
 * Request together with the data that passes through Hono. Hono's own `Request`, `Response` and `Headers`
 * would cost more per request than all other steps. Therefore Hono receives only the parts of a request that
 * it reads ({@link requestForHono}), and only selects the handler.
 */
export interface Passage {
  readonly request: HttpRequest;
  /** `Origin` header, which browsers send for pages; `null` if absent. */
  readonly origin: string | null;
  /** Handler that routing selected; `undefined` if Hono itself responded. */
  answer: RouteAnswer | undefined;
}

/** Type parameter for Hono: declares what its handlers receive with a request. */
export interface HttpEnv {
  readonly Bindings: Passage;
}

/**
 * Placeholder for a reply that bypasses Hono. It is never modified: Hono copies a response before it writes
 * to it.
 */
const CARRIED = new Response(null);

/**
 * Records the handler for the caller of Hono: returning an asynchronous reply through Hono would create
 * promises.
 */
export function carry(context: Context<HttpEnv>, answer: RouteAnswer): Response {
  context.env.answer = answer;
  return CARRIED;
}

/** Creates a Hono handler from a {@link RouteAnswer}. */
export function route(answer: RouteAnswer): Handler<HttpEnv> {
  return (context) => carry(context, answer);
}

/**
 * Creates the request that Hono and its middleware see: method, URL and single headers. A HEAD is routed as a
 * GET; the connection omits the body.
 */
export function requestForHono({ method, url, headers }: HttpRequest): Request {
  const seen = { method: routedMethod(method), url, headers };
  return seen as unknown as Request;
}

/** Returns the method used for routing: see {@link requestForHono}. */
export function routedMethod(method: string): string {
  return method === "HEAD" ? "GET" : method;
}

/** Converts a response that Hono created. */
export async function replyFrom(response: Response): Promise<HttpReply> {
  const body = new Uint8Array(await response.arrayBuffer());
  return {
    status: response.status,
    headers: headersOf(response),
    body: body.byteLength === 0 ? null : body,
  };
}

/** Returns the headers of a response; the value of `Vary` in lower case as well. */
export function headersOf({ headers }: Response): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [name, value] of headers) found[name] = name === "vary" ? value.toLowerCase() : value;
  return found;
}
