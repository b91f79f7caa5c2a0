import { Hono } from "hono";
import { RegExpRouter } from "hono/router/reg-exp-router";
import { invalidRequest, JSON_RPC_CODES } from "../json-rpc.ts";
import type { MethodTable } from "../table.ts";
import type { WebSocketService } from "../ws/service.ts";
import { openRpcPages } from "../openrpc/route.ts";
import { errorReply, type HttpReply, textReply } from "./message.ts";
import { routePath, rpcPaths, versionAsked } from "./paths.ts";
import type { Readiness } from "./readiness.ts";
import { readyReply } from "./ready.ts";
import { carry, type HttpEnv, type Passage, route, routedMethod } from "./routing.ts";
import { answerPost, type PostDeps, refuseVersion, type RpcRouteDeps } from "./rpc-route.ts";

/** What the routes answer with. */
export interface RouteDeps<C> extends RpcRouteDeps<C> {
  /** Newest first. */
  readonly tables: readonly [MethodTable<C>, ...MethodTable<C>[]];
  readonly readiness: () => Readiness;
  /** `null`: there is no WebSocket. */
  readonly webSockets: WebSocketService<C> | null;
}

/** The answer when an answer fails. */
export const INTERNAL_ERROR: HttpReply = errorReply(
  { code: JSON_RPC_CODES.internalError, message: "Internal error" },
  500,
);

/** The answer to a page that may not call this node. */
const FOREIGN_PAGE: HttpReply = errorReply(
  invalidRequest("pages of this origin may not call this node"),
  403,
);

/** Methods that are answered somewhere, as `Allow` and CORS list them. */
export const METHODS_ALLOWED = "GET, POST, OPTIONS";

/**
 * Every route: POST of JSON-RPC on the paths of {@link rpcPaths}, `GET /health`,
 * `GET /ready?max_lag=N`, the documents of {@link openRpcPages} and the pages of the newest table.
 * Each has one handler: Hono runs a lone one without composing anything.
 *
 * Paths have no patterns (see {@link routePath}), so that the router looks them up in a table.
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
  app.notFound((context) => carry(context, (passage) => answerElsewhere(deps, served, passage)));
  return app;
}

/** A Hono without routes that answers errors as JSON-RPC does. */
export function createHono(): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>({ getPath: routePath, router: new RegExpRouter() });
  app.onError((_, context) => carry(context, () => INTERNAL_ERROR));
  return app;
}

/** A GET where JSON-RPC is served opens a WebSocket. */
function answerGet<C>(
  { webSockets, isOriginAllowed }: RouteDeps<C>,
  table: MethodTable<C>,
  { request, origin }: Passage,
): HttpReply {
  const reply = webSockets?.answer(request, table);
  if (reply === undefined) return notAllowed("POST");
  // Browsers open WebSockets for any page without asking first.
  return origin !== null && !isOriginAllowed(origin) ? FOREIGN_PAGE : reply;
}

/** Answers what no route takes. */
function answerElsewhere(
  deps: PostDeps,
  served: readonly string[],
  passage: Passage,
): HttpReply | Promise<HttpReply> {
  const method = routedMethod(passage.request.method);
  const path = routePath(passage.request);
  if (method !== "GET" && method !== "POST") return notAllowed(METHODS_ALLOWED);
  const version = versionAsked(path);
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
