import type { CorsPolicy } from "#base/primitives/index.ts";
import { ResponseCache } from "../response-cache.ts";
import type { QueryPool, RpcContext, RpcObserver } from "../context.ts";
import { createDispatcher, type DispatchLimits } from "../dispatch.ts";
import type { MethodTable } from "../table.ts";
import { createHttpHandler } from "./handler.ts";
import { type ConnectionLimits, DEFAULT_CONNECTION_LIMITS } from "../limits/connection-limit.ts";
import { type RateLimit, RateLimiter } from "../limits/rate-limiter.ts";
import { type HostPolicy, isLoopback } from "./hosts.ts";
import { type HttpListener, openHttpListener } from "./http-listener.ts";
import { type Readiness, readinessOf } from "./readiness.ts";
import { Unpacker } from "./unpacker.ts";
import { HTTP_TIMEOUTS, type HttpTimeouts } from "./timeouts.ts";
import type { LiveFeed } from "../ws/feed.ts";
import type { WsLimits, WsTimes } from "../ws/limits.ts";
import { createWebSocketService } from "../ws/service.ts";

/** Options of {@link createRpcServer}. */
export interface RpcServerOptions {
  /** Address to listen on, default 127.0.0.1. */
  readonly hostname?: string;
  /** Port, default 9944; 0 takes any free one. */
  readonly port?: number;
  /** The address when it is taken already; then `hostname` and `port` have no effect. */
  readonly listener?: HttpListener;
  readonly cors?: CorsPolicy;
  /** Default: `local` on a loopback address with a CORS policy other than `all`, otherwise `any`. */
  readonly hosts?: HostPolicy;
  readonly context: RpcContext;
  /** Method tables of the served versions, newest first. */
  readonly tables: readonly [MethodTable, ...MethodTable[]];
  readonly queryPool?: QueryPool;
  readonly observer?: RpcObserver;
  /** Watches what is asked over WebSocket; default {@link observer}. */
  readonly webSocketObserver?: RpcObserver | undefined;
  /** Keeps answers that never change; to be cleared when blocks are taken back. */
  readonly cache?: ResponseCache;
  /** Tells what subscriptions are told. */
  readonly feed?: LiveFeed | undefined;
  readonly webSockets?: WebSocketSettings;
  /** Default: ready once there is a block. */
  readonly readiness?: () => Readiness;
  readonly limits?: Partial<HttpLimits>;
  /** Of each address; `undefined`: none. */
  readonly rateLimit?: RateLimit | undefined;
  readonly connections?: ConnectionLimits;
  readonly timeouts?: Partial<HttpTimeouts>;
}

/** Settings of WebSocket connections. */
export interface WebSocketSettings {
  readonly limits?: Partial<WsLimits>;
  readonly times?: Partial<WsTimes>;
}

/** Limits of the server. */
export interface HttpLimits extends DispatchLimits {
  /**
   * Most bytes of a request body, before and after decompression; a declared class is the largest
   * thing that anyone sends.
   */
  readonly maxBodyBytes: number;
}

/** A running server. */
export interface RpcServer {
  readonly hostname: string;
  readonly port: number;
  /** As {@link HttpListener.stop}; without `graceMs`, for as long as requests may take. */
  stop(graceMs?: number, beforeClose?: () => void): Promise<void>;
}

/** Default of {@link HttpLimits.maxBodyBytes}. */
export const DEFAULT_MAX_BODY_BYTES: number = 15 << 20;

/** Longer than any request is under way. */
const LONG_GRACE_MS = 60_000;

/**
 * Starts the JSON-RPC server with the routes of {@link createHttpHandler}.
 *
 * @throws {NodeError} when the address is in use
 * @throws {ConfigError} when it cannot be listened on
 */
export async function createRpcServer(options: RpcServerOptions): Promise<RpcServer> {
  const { cors = "local", tables } = options;
  const listener = options.listener ?? (await openRpcListener(options));
  const hostname = options.hostname ?? listener.hostname;
  const { cache = new ResponseCache() } = options;
  const { context, feed, limits, rateLimit, observer, webSocketObserver = observer } = options;
  const maxBodyBytes = limits?.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES;
  const rateLimiter = rateLimit === undefined ? undefined : new RateLimiter(rateLimit);
  const webSockets = createWebSocketService({
    ...options.webSockets,
    dispatcher: createDispatcher({ ...options, cache, ...observed(webSocketObserver) }),
    context,
    observer: webSocketObserver,
    rateLimiter,
    feed,
    maxMessageBytes: maxBodyBytes,
  });
  listener.serve(
    createHttpHandler({
      dispatcher: createDispatcher({ ...options, cache }),
      tables,
      cors,
      hosts: options.hosts ?? (isLoopback(hostname) && cors !== "all" ? "local" : "any"),
      readiness: options.readiness ?? (() => readinessOf(context)),
      maxBodyBytes,
      unpacker: new Unpacker(),
      rateLimiter,
      webSockets,
    }),
  );
  return {
    hostname: listener.hostname,
    port: listener.port,
    stop: (graceMs = LONG_GRACE_MS, beforeClose) => listener.stop(graceMs, beforeClose),
  };
}

function observed(observer: RpcObserver | undefined): Pick<RpcServerOptions, "observer"> {
  return observer === undefined ? {} : { observer };
}

/**
 * Takes the address of the JSON-RPC server before there is anything to serve.
 *
 * @throws {NodeError | ConfigError} as {@link openHttpListener}
 */
export function openRpcListener({
  hostname = "127.0.0.1",
  port = 9944,
  timeouts = {},
  connections = DEFAULT_CONNECTION_LIMITS,
}: Pick<
  RpcServerOptions,
  "hostname" | "port" | "timeouts" | "connections"
>): Promise<HttpListener> {
  const names = { service: "JSON-RPC", portOption: "--rpc-port", hostOption: "--rpc-host" };
  return openHttpListener(
    { hostname, port, ...names },
    { ...HTTP_TIMEOUTS, ...timeouts },
    connections,
  );
}
