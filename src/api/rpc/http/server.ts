import type { CorsPolicy } from "#base/primitives/index.ts";
import type { QueryPool, RpcContext, RpcObserver } from "../context.ts";
import { createDispatcher, type DispatchLimits } from "../dispatch.ts";
import type { MethodTable } from "../table.ts";
import { createHttpHandler } from "./handler.ts";
import { type HostPolicy, isLoopback } from "./hosts.ts";
import { type HttpListener, openHttpListener } from "./http-listener.ts";
import { type Readiness, readinessOf } from "./readiness.ts";
import type { HttpTimeouts } from "./service.ts";

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
  /** Default: ready once there is a block. */
  readonly readiness?: () => Readiness;
  readonly limits?: Partial<HttpLimits>;
  readonly timeouts?: Partial<HttpTimeouts>;
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
  listener.serve(
    createHttpHandler({
      dispatcher: createDispatcher(options),
      tables,
      cors,
      hosts: options.hosts ?? (isLoopback(hostname) && cors !== "all" ? "local" : "any"),
      readiness: options.readiness ?? (() => readinessOf(options.context)),
      maxBodyBytes: options.limits?.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES,
    }),
  );
  return {
    hostname: listener.hostname,
    port: listener.port,
    stop: (graceMs = LONG_GRACE_MS, beforeClose) => listener.stop(graceMs, beforeClose),
  };
}

/**
 * Takes the address of the JSON-RPC server before there is anything to serve.
 *
 * @throws {NodeError | ConfigError} as {@link openHttpListener}
 */
export function openRpcListener({
  hostname = "127.0.0.1",
  port = 9944,
  timeouts,
}: Pick<RpcServerOptions, "hostname" | "port" | "timeouts">): Promise<HttpListener> {
  const names = { service: "JSON-RPC", portOption: "--rpc-port", hostOption: "--rpc-host" };
  return openHttpListener({ hostname, port, ...names }, timeouts);
}
