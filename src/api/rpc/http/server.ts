import type { CorsPolicy } from "#base/primitives/index.ts";
import type { ResponseCache } from "../response-cache.ts";
import type { MainContext, QueryPool, RpcObserver, WsRpcObserver } from "../context.ts";
import { createDispatcher, type DispatchLimits } from "../dispatch.ts";
import type { MethodTable } from "../table.ts";
import { createHttpHandler } from "./handler.ts";
import type { ConnectionLimits } from "../limits/connection-limit.ts";
import type { HeldBytes } from "../limits/held-bytes.ts";
import { type RateLimit, systemRateLimiter } from "../limits/rate-limiter.ts";
import type { HostPolicy } from "./hosts.ts";
import { type HttpListener, openHttpListener } from "./http-listener.ts";
import type { PostRoute, SideRoute } from "./side-routes.ts";
import type { Readiness } from "./readiness.ts";
import { Unpacker } from "./unpacker.ts";
import type { HttpTimeouts } from "./timeouts.ts";
import type { LiveFeed } from "../ws/feed.ts";
import { createWebSocketService, type WebSocketSettings } from "../ws/service.ts";

/** Options of {@link createRpcServer}. */
export interface RpcServerOptions<C extends MainContext> {
  readonly listener: HttpListener;
  /** Must be the instance that the listener uses. */
  readonly held: HeldBytes;
  readonly cors: CorsPolicy;
  readonly hosts: HostPolicy;
  /** Context of methods that do not run on query threads. */
  readonly context: C;
  /** Method tables of the served versions, newest first. */
  readonly tables: readonly [MethodTable<C>, ...MethodTable<C>[]];
  readonly queryPool: QueryPool;
  readonly observer: RpcObserver;
  readonly webSocketObserver: WsRpcObserver;
  /** Cache of immutable responses; must be cleared when blocks are reverted. */
  readonly cache: ResponseCache;
  /** Source of the notifications of subscriptions. */
  readonly feed: LiveFeed;
  readonly webSockets: WebSocketSettings;
  readonly readiness: () => Readiness;
  readonly limits: HttpLimits;
  /** Limit per address; `null` for none. */
  readonly rateLimit: RateLimit | null;
  /** Paths of other interfaces on the same port. */
  readonly sideRoutes: readonly (SideRoute | PostRoute)[];
}

/** Limits of the server. */
export interface HttpLimits extends DispatchLimits {
  /**
   * Maximum bytes of a request body, before and after decompression; class declarations are the largest
   * requests.
   */
  readonly maxBodyBytes: number;
}

/** A running server. */
export interface RpcServer {
  readonly hostname: string;
  readonly port: number;
  /** See {@link HttpListener.stop}. */
  stop(graceMs: number, beforeClose: () => void): Promise<void>;
}

/** Starts serving JSON-RPC with the routes of {@link createHttpHandler}. */
export function createRpcServer<C extends MainContext>(options: RpcServerOptions<C>): RpcServer {
  const { listener, held, context, tables, queryPool, cache, limits, rateLimit } = options;
  const { cors, hosts, readiness, observer, webSocketObserver, feed } = options;
  const { maxBodyBytes } = limits;
  const rateLimiter = rateLimit === null ? null : systemRateLimiter(rateLimit);
  const shared = { context, queryPool, limits, cache, held };
  const webSockets = createWebSocketService({
    ...options.webSockets,
    dispatcher: createDispatcher({ ...shared, observer: webSocketObserver }),
    context,
    observer: webSocketObserver,
    rateLimiter,
    feed,
    held,
    maxMessageBytes: maxBodyBytes,
  });
  listener.serve(
    createHttpHandler({
      dispatcher: createDispatcher({ ...shared, observer }),
      tables,
      cors,
      hosts,
      readiness,
      maxBodyBytes,
      unpacker: new Unpacker(),
      rateLimiter,
      webSockets,
      sideRoutes: options.sideRoutes,
    }),
  );
  return {
    hostname: listener.hostname,
    port: listener.port,
    stop: (graceMs, beforeClose) => listener.stop(graceMs, beforeClose),
  };
}

/** Listening address of a JSON-RPC server, and its connection limits. */
export interface RpcAddress {
  readonly hostname: string;
  /** 0 picks any free port. */
  readonly port: number;
  readonly timeouts: HttpTimeouts;
  readonly connections: ConnectionLimits;
  /** Counts the memory that clients make the process hold. */
  readonly held: HeldBytes;
}

/**
 * Binds the address of the JSON-RPC server before there is anything to serve.
 *
 * @throws {NodeError | ConfigError} as {@link openHttpListener}
 */
export function openRpcListener(address: RpcAddress): Promise<HttpListener> {
  const { hostname, port, timeouts, connections, held } = address;
  const names = { service: "JSON-RPC", portOption: "--rpc-port", hostOption: "--rpc-host" };
  return openHttpListener({ hostname, port, ...names }, timeouts, connections, held);
}
