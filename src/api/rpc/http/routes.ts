import { Hono } from "hono";
import { RegExpRouter } from "hono/router/reg-exp-router";
import { invalidRequest, JSON_RPC_CODES } from "../json-rpc.ts";
import type { MethodTable } from "../table.ts";
import type { WebSocketService } from "../ws/service.ts";
import { openRpcPages } from "../openrpc/route.ts";
import { errorReply, type HttpReply, textReply } from "./message.ts";
import { routePath, rpcPaths, requestedVersion } from "./paths.ts";
import type { Readiness } from "./readiness.ts";
import { readyReply } from "./ready.ts";
import { carry, type HttpEnv, type Passage, route, routedMethod } from "./routing.ts";
import type { PostDeps } from "./read-post.ts";
import { addSideRoutes, type PostRoute, type SideRoute } from "./side-routes.ts";
import { answerPost, refuseVersion, type RpcRouteDeps } from "./rpc-route.ts";

/** Dependencies of the routes. */
export interface RouteDeps<C> extends RpcRouteDeps<C> {
  /** Newest first. */
  readonly tables: readonly [MethodTable<C>, ...MethodTable<C>[]];
  readonly readiness: () => Readiness;
  /** `null` if WebSockets are not served. */
  readonly webSockets: WebSocketService<C> | null;
  /** Paths of other interfaces. */
  readonly sideRoutes: readonly (SideRoute | PostRoute)[];
}

/** Reply when creating a reply fails. */
export const INTERNAL_ERROR: HttpReply = errorReply(
  { code: JSON_RPC_CODES.internalError, message: "Internal error" },
  500,
);

/** Reply to a browser page whose origin is not allowed. */
const FOREIGN_PAGE: HttpReply = errorReply(
  invalidRequest("pages of this origin may not call this node"),
  403,
);

/** HTTP methods that any route accepts, as listed in `Allow` and by CORS. */
export const METHODS_ALLOWED = "GET, POST, OPTIONS";

/**
 * Creates all routes: POST of JSON-RPC on the paths of {@link rpcPaths}, `GET /health`,
 * `GET /ready?max_lag=N`, the documents of {@link openRpcPages}, the pages of the newest table, and the side
 * routes. Each route has one handler, which Hono runs without composing middleware.
 *
 * Paths have no patterns (see {@link routePath}), so that the router finds them by table lookup.
 */
export function createRoutes<C>(deps: RouteDeps<C>): Hono<HttpEnv> {
  const { tables, readiness } = deps;
  const served = tables.map(({ spec }) => spec.version);
  const app = createHono();
  for (const [path, table] of rpcPaths(tables)) {
    app.post(
      path,
      route((passage) => answerPost(deps, table, passage)),
    );
    app.get(
      path,
      route((passage) => answerGet(deps, table, passage)),
    );
  }
  app.get(
    "/health",
    route(() => textReply("OK", 200)),
  );
  app.get(
    "/ready",
    route(({ request }) => readyReply(request.url, readiness)),
  );
  for (const [path, reply] of openRpcPages(tables)) {
    app.get(
      path,
      route(() => reply()),
    );
  }
  for (const [path, text] of tables[0].pages) {
    app.get(
      path,
      route(() => textReply(text, 200)),
    );
  }
  addSideRoutes(app, deps.sideRoutes, deps);
  app.notFound((context) => carry(context, (passage) => answerElsewhere(deps, served, passage)));
  return app;
}

/** Creates a Hono app without routes, whose errors are JSON-RPC errors. */
export function createHono(): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>({ getPath: routePath, router: new RegExpRouter() });
  app.onError((_, context) => carry(context, () => INTERNAL_ERROR));
  return app;
}

/** Opens a WebSocket: the only use of GET on a JSON-RPC path. */
function answerGet<C>(
  { webSockets, isOriginAllowed }: RouteDeps<C>,
  table: MethodTable<C>,
  { request, origin }: Passage,
): HttpReply {
  const reply = webSockets?.answer(request, table);
  if (reply === undefined) return notAllowed("POST");
  // Browsers open WebSockets for any page without a preflight, so the origin is checked here.
  return origin !== null && !isOriginAllowed(origin) ? FOREIGN_PAGE : reply;
}

/** Answers requests that match no route. */
function answerElsewhere(
  deps: PostDeps,
  served: readonly string[],
  passage: Passage,
): HttpReply | Promise<HttpReply> {
  const method = routedMethod(passage.request.method);
  const path = routePath(passage.request);
  if (method !== "GET" && method !== "POST") return notAllowed(METHODS_ALLOWED);
  const version = requestedVersion(path);
  if (version === undefined) {
    return textReply(
      "Not found. JSON-RPC: POST / or /rpc/v0_10. Also GET /health, /ready, /openrpc.json.\n",
      404,
    );
  }
  return method === "GET" ? notAllowed("POST") : refuseVersion(deps, version, served, passage);
}

function notAllowed(allow: string): HttpReply {
  return textReply(`Method not allowed. Use ${allow}.\n`, 405, { allow });
}
