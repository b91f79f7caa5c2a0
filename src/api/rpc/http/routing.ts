import type { Context, Handler } from "hono";
import type { HttpHandler, HttpReply, HttpRequest } from "./message.ts";

/**
 * What a request carries through Hono beside itself. Hono's own `Request`, `Response` and `Headers`
 * would cost more per request than everything else here: Hono is given the little that it reads of a
 * request ({@link requestForHono}), and an answer goes around it.
 */
export interface Passage {
  readonly request: HttpRequest;
  /** The header that browsers send with what a page asks for. */
  readonly origin: string | null;
  /** The answer, when it is one of ours. */
  reply: HttpReply | Promise<HttpReply> | undefined;
}

/** The type parameter of Hono's types. */
export interface HttpEnv {
  readonly Bindings: Passage;
}

/** Stands in for an answer that is carried beside it; never changed, as Hono copies before it writes. */
const CARRIED = new Response(null);

/**
 * Leaves an answer of ours for whoever called Hono, who waits for it too: for a promise of its own Hono
 * would make two more.
 */
export function carry(context: Context<HttpEnv>, reply: ReturnType<HttpHandler>): Response {
  context.env.reply = reply;
  return CARRIED;
}

/** A handler of Hono's that answers by our own types. */
export function route(answer: (passage: Passage) => ReturnType<HttpHandler>): Handler<HttpEnv> {
  return (context) => carry(context, answer(context.env));
}

/**
 * What Hono and its middleware read of a request: method, url and single headers. A HEAD is asked for
 * as the GET that it is like; the connection leaves the body out.
 */
export function requestForHono({ method, url, headers }: HttpRequest): Request {
  const seen = { method: method === "HEAD" ? "GET" : method, url, headers };
  return seen as unknown as Request;
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
