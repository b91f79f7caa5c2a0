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

/** Handler for one path; each path accepts one method. */
export interface GatewayRoute {
  readonly method: "GET" | "POST";
  /** Contains no path parameters, so the router uses a lookup table. */
  readonly path: string;
  readonly answer: (passage: Passage) => HttpReply | Promise<HttpReply>;
}

/** Dependencies of {@link createGatewayHandler}. */
export interface GatewayHandlerDeps {
  readonly routes: readonly GatewayRoute[];
  readonly hosts: HostPolicy;
  /** Limits requests per client address, on all routes together; `null` for no limit. */
  readonly rateLimiter: RateLimiter | null;
  readonly readiness: () => Readiness;
  /** Whether this node currently produces blocks. */
  readonly leads: () => boolean;
  readonly observer: GatewayObserver;
}

const NOT_FOUND: HttpReply = textReply("Not Found", 404);
const FOREIGN_HOST: HttpReply = textReply(
  "The Host header must be localhost, an IP address or an allowed host name.\n",
  403,
);
const FOREIGN_PAGE: HttpReply = textReply(
  "Web pages may not send requests to this gateway.\n",
  403,
);
const LEADS: HttpReply = textReply("OK", 200);
const LEADS_NOT: HttpReply = textReply("This node does not produce blocks.\n", 503);
const INTERNAL_ERROR: HttpReply = textReply("Internal Server Error", 500);

/**
 * Creates the request handler of a gateway, independent of any server. It applies the host check, the rate
 * limit and compression, and serves the given routes plus `GET /health`, `GET /ready` and `GET /leader`.
 * HEAD is handled as GET; another method on a known path returns 405 and names the supported one. Web pages
 * cannot read responses (no CORS headers are sent), and their POST requests are refused: a form can post
 * without a preflight.
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
    const requestPath = pathOf(request.url);
    const path = served.has(requestPath) ? requestPath : OTHER_ROUTE;
    const passage: Passage = { request, origin: request.headers.get("origin"), answer: undefined };
    const reply = await answer(passage, path);
    observer.answered(path, reply.status, (performance.now() - startedMs) / 1000);
    return compressor.compress(reply, request);
  };
}

/** Routes that report the state of the node itself. */
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

/** Clients of the public networks' gateways honor Retry-After. */
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

function otherMethod(method: string, served: GatewayRoute["method"]): HttpReply {
  const allow = served === "GET" ? "GET, HEAD, OPTIONS" : "POST, OPTIONS";
  if (method === "OPTIONS") return emptyReply(204, { allow });
  return textReply(`Method not allowed. Use ${served}.\n`, 405, { allow });
}
