import type { Context, Handler } from "hono";
import type { HttpReply, HttpRequest } from "./message.ts";

/** Answers what a route has taken; at once where nothing is waited for. */
export type RouteAnswer = (passage: Passage) => HttpReply | Promise<HttpReply>;

/**
 * What a request carries through Hono beside itself. Hono's own `Request`, `Response` and `Headers`
 * would cost more per request than everything else here: Hono is given the little that it reads of a
 * request ({@link requestForHono}), and tells who answers it.
 */
export interface Passage {
  readonly request: HttpRequest;
  /** The header that browsers send with what a page asks for. */
  readonly origin: string | null;
  /** Who answers, when it is one of us. */
  answer: RouteAnswer | undefined;
}

/** The type parameter of Hono's types. */
export interface HttpEnv {
  readonly Bindings: Passage;
}

/** Stands in for an answer that is carried beside it; never changed, as Hono copies before it writes. */
const CARRIED = new Response(null);

/** Tells whoever called Hono who answers: for an answer that has to be waited for Hono makes promises. */
export function carry(context: Context<HttpEnv>, answer: RouteAnswer): Response {
  context.env.answer = answer;
  return CARRIED;
}

/** A handler of Hono's that answers by our own types. */
export function route(answer: RouteAnswer): Handler<HttpEnv> {
  return (context) => carry(context, answer);
}

/**
 * What Hono and its middleware read of a request: method, url and single headers. A HEAD is asked for
 * as the GET that it is like; the connection leaves the body out.
 */
export function requestForHono({ method, url, headers }: HttpRequest): Request {
  const seen = { method: routedMethod(method), url, headers };
  return seen as unknown as Request;
}

/** The method that routes are looked up by: see {@link requestForHono}. */
export function routedMethod(method: string): string {
  return method === "HEAD" ? "GET" : method;
}

/** An answer that Hono made itself. */
export async function replyFrom(response: Response): Promise<HttpReply> {
  const body = new Uint8Array(await response.arrayBuffer());
  return {
    status: response.status,
    headers: headersOf(response),
    body: body.byteLength === 0 ? null : body,
  };
}

/** The headers of a response; the names that answers vary by in small letters too. */
export function headersOf({ headers }: Response): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [name, value] of headers) found[name] = name === "vary" ? value.toLowerCase() : value;
  return found;
}
