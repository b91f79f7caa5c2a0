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
  type RateLimiter,
  type Readiness,
  readyReply,
  ReplyCompressor,
  replyFrom,
  requestForHono,
  route,
  textReply,
} from "#api/rpc/index.ts";
import { gatewayErrorReply } from "./errors.ts";
import { type GatewayObserver, OTHER_ROUTE } from "./observer.ts";

/** What is answered on a path; each path has one method. */
export interface GatewayRoute {
  readonly method: "GET" | "POST";
  /** Without parameters in it, so that the router looks it up in a table. */
  readonly path: string;
  readonly answer: (passage: Passage) => HttpReply | Promise<HttpReply>;
}

/** What requests are answered with. */
export interface GatewayHandlerDeps {
  readonly routes: readonly GatewayRoute[];
  readonly hosts: HostPolicy;
  /** Of requests of each address, whatever they ask for; `null`: there is no limit. */
  readonly rateLimiter: RateLimiter | null;
  readonly readiness: () => Readiness;
  /** Whether this node makes the chain's blocks now. */
  readonly leads: () => boolean;
  readonly observer: GatewayObserver;
}

const NOT_FOUND: HttpReply = textReply("Not Found", 404);
const FOREIGN_HOST: HttpReply = textReply(
  "This node answers to localhost and addresses in digits only.\n",
  403,
);
const FOREIGN_PAGE: HttpReply = textReply("Pages may not send to this gateway.\n", 403);
const LEADS: HttpReply = textReply("OK", 200);
const LEADS_NOT: HttpReply = textReply("This node does not make the chain's blocks.\n", 503);
const INTERNAL_ERROR: HttpReply = textReply("Internal Server Error", 500);

/**
 * Answers the requests of a gateway, apart from any server: the check of the host, the limit of requests,
 * the routes, `GET /health`, `GET /ready` and `GET /leader`, and compression. HEAD is answered as GET; another method on
 * a path is 405, and names the one that it has. Pages of browsers are told nothing (there are no CORS
 * headers), and what they send is refused: a form can send without being asked.
 */
export function createGatewayHandler(deps: GatewayHandlerDeps): HttpHandler {
  const { rateLimiter, observer } = deps;
  const isHostAllowed = createHostCheck(deps.hosts);
  const routes = [...deps.routes, ...nodeRoutes(deps)];
  const served = new Set(routes.map(({ path }) => path));
  const app = createApp(routes, (path, error) => observer.internalError(path, error));
  const compressor = new ReplyCompressor();

  const answer = async (passage: Passage, path: string): Promise<HttpReply> => {
    const { request, origin } = passage;
    if (!isHostAllowed(request.headers.get("host"))) return FOREIGN_HOST;
    const waitSeconds = rateLimiter?.take(request.caller.address);
    if (waitSeconds !== undefined) return tooFast(waitSeconds);
    if (origin !== null && request.method === "POST") return FOREIGN_PAGE;
    try {
      const fetched = app.fetch(requestForHono(request), passage);
      return await (passage.answer?.(passage) ?? replyFrom(await fetched));
    } catch (error) {
      observer.internalError(path, error);
      return INTERNAL_ERROR;
    }
  };

  return async (request) => {
    const startedMs = performance.now();
    const asked = pathOf(request.url);
    const path = served.has(asked) ? asked : OTHER_ROUTE;
    const passage: Passage = { request, origin: request.headers.get("origin"), answer: undefined };
    const reply = await answer(passage, path);
    observer.answered(path, reply.status, (performance.now() - startedMs) / 1000);
    return compressor.compress(reply, request);
  };
}

/** Routes about the node itself. */
function nodeRoutes({
  readiness,
  leads,
}: Pick<GatewayHandlerDeps, "readiness" | "leads">): readonly GatewayRoute[] {
  return [
    { method: "GET", path: "/health", answer: () => textReply("OK", 200) },
    { method: "GET", path: "/ready", answer: ({ request }) => readyReply(request.url, readiness) },
    { method: "GET", path: "/leader", answer: () => (leads() ? LEADS : LEADS_NOT) },
  ];
}

/** Clients of the networks' gateways wait as long as they are told. */
function tooFast(waitSeconds: number): HttpReply {
  const message = `too many requests from this address: try again in ${waitSeconds} s`;
  return gatewayErrorReply("RATE_LIMITED", message, 429, { "retry-after": String(waitSeconds) });
}

function createApp(
  routes: readonly GatewayRoute[],
  onError: (path: string, error: unknown) => void,
): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>({ getPath: ({ url }) => pathOf(url), router: new RegExpRouter() });
  for (const { method, path, answer } of routes) {
    app.on(method, path, route(answer));
    app.all(
      path,
      route(({ request }) => otherMethod(request.method, method)),
    );
  }
  app.notFound((context) => carry(context, () => NOT_FOUND));
  app.onError((error, context) => {
    onError(context.req.path, error);
    return carry(context, () => INTERNAL_ERROR);
  });
  return app;
}

function otherMethod(asked: string, served: GatewayRoute["method"]): HttpReply {
  const allow = served === "GET" ? "GET, HEAD, OPTIONS" : "POST, OPTIONS";
  if (asked === "OPTIONS") return emptyReply(204, { allow });
  return textReply(`Method not allowed. Use ${served}.\n`, 405, { allow });
}
