import { Hono } from "hono";
import { RegExpRouter } from "hono/router/reg-exp-router";
import {
  carry,
  createHostCheck,
  emptyReply,
  type HostPolicy,
  type HttpEnv,
  type HttpHandler,
  type HttpReply,
  type Passage,
  pathOf,
  ReplyCompressor,
  replyFrom,
  requestForHono,
  route,
  textReply,
} from "#api/rpc/index.ts";

/** What is answered on a path; each path has one method. */
export interface GatewayRoute {
  readonly method: "GET" | "POST";
  /** Without parameters in it, so that the router looks it up in a table. */
  readonly path: string;
  readonly answer: (passage: Passage) => HttpReply | Promise<HttpReply>;
}

const NOT_FOUND: HttpReply = textReply("Not Found", 404);
const FOREIGN_HOST: HttpReply = textReply(
  "This node answers to localhost and addresses in digits only.\n",
  403,
);
const INTERNAL_ERROR: HttpReply = textReply("Internal Server Error", 500);

/**
 * Answers the requests of a gateway, apart from any server: the check of the host, the routes,
 * `GET /health`, and compression. HEAD is answered as GET; another method on a path is 405, and names
 * the one that it has.
 */
export function createGatewayHandler(
  routes: readonly GatewayRoute[],
  hosts: HostPolicy,
): HttpHandler {
  const isHostAllowed = createHostCheck(hosts);
  const app = createApp(routes);
  const compressor = new ReplyCompressor();
  return async (request) => {
    if (!isHostAllowed(request.headers.get("host"))) return FOREIGN_HOST;
    const passage: Passage = { request, origin: request.headers.get("origin"), reply: undefined };
    const fetched = app.fetch(requestForHono(request), passage);
    const response = fetched instanceof Promise ? await fetched : fetched;
    let reply: HttpReply;
    try {
      reply = await (passage.reply ?? replyFrom(response));
    } catch {
      reply = INTERNAL_ERROR;
    }
    return compressor.compress(reply, request);
  };
}

function createApp(routes: readonly GatewayRoute[]): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>({ getPath: ({ url }) => pathOf(url), router: new RegExpRouter() });
  const health = { method: "GET", path: "/health", answer: () => textReply("OK", 200) } as const;
  for (const { method, path, answer } of [...routes, health]) {
    app.on(method, path, route(answer));
    app.all(
      path,
      route(({ request }) => otherMethod(request.method, method)),
    );
  }
  app.notFound((context) => carry(context, NOT_FOUND));
  app.onError((_, context) => carry(context, INTERNAL_ERROR));
  return app;
}

function otherMethod(asked: string, served: GatewayRoute["method"]): HttpReply {
  const allow = served === "GET" ? "GET, HEAD, OPTIONS" : "POST, OPTIONS";
  if (asked === "OPTIONS") return emptyReply(204, { allow });
  return textReply(`Method not allowed. Use ${served}.\n`, 405, { allow });
}
