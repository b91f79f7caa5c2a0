import type { CorsPolicy } from "#base/primitives/index.ts";
import { createOriginCheck, type HostPolicy, isHostAllowed, type OriginCheck } from "./cors.ts";
import type { QueryPool, RpcContext, RpcObserver } from "./context.ts";
import {
  createDispatcher,
  type DispatchLimits,
  type Dispatcher,
  refuse,
  requestIdOf,
  type ResponseNotes,
} from "./dispatch.ts";
import { readBodyText } from "./http-body.ts";
import type { HttpTimeouts } from "./http-connection.ts";
import { type HttpListener, openHttpListener } from "./http-listener.ts";
import {
  emptyReply,
  errorReply,
  type HttpReply,
  type HttpRequest,
  jsonReply,
  textReply,
} from "./http-message.ts";
import { invalidRequest, JSON_RPC_CODES } from "./json-rpc.ts";
import { type Readiness, readinessOf } from "./readiness.ts";
import { createRouter, type Route, type Router } from "./routes.ts";
import type { MethodTable } from "./table.ts";

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
 * Starts the JSON-RPC server: POST on the paths of {@link createRouter}, `GET /health` and
 * `GET /ready?max_lag=N`.
 *
 * @throws {NodeError} when the address is in use
 * @throws {ConfigError} when it can not be listened on
 */
export async function createRpcServer(options: RpcServerOptions): Promise<RpcServer> {
  const { cors = "local", tables } = options;
  const listener = options.listener ?? (await openRpcListener(options));
  const hostname = options.hostname ?? listener.hostname;
  const server = new RpcHttp({
    dispatcher: createDispatcher(options),
    router: createRouter(tables),
    isOriginAllowed: createOriginCheck(cors),
    anyOrigin: cors === "all",
    hosts: options.hosts ?? (isLoopback(hostname) && cors !== "all" ? "local" : "any"),
    readiness: options.readiness ?? (() => readinessOf(options.context)),
    maxBodyBytes: options.limits?.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES,
  });
  listener.serve((request) => server.fetch(request));
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

interface RpcHttpParts {
  readonly dispatcher: Dispatcher;
  readonly router: Router;
  readonly isOriginAllowed: OriginCheck;
  readonly anyOrigin: boolean;
  readonly hosts: HostPolicy;
  readonly readiness: () => Readiness;
  readonly maxBodyBytes: number;
}

/** The HTTP side, apart from any server. */
class RpcHttp {
  readonly #parts: RpcHttpParts;

  constructor(parts: RpcHttpParts) {
    this.#parts = parts;
  }

  async fetch(request: HttpRequest): Promise<HttpReply> {
    const { hosts } = this.#parts;
    if (hosts !== "any" && !isHostAllowed(request.headers.get("host"), hosts)) {
      return textReply("This node answers to localhost and addresses in digits only.\n", 403);
    }
    let reply: HttpReply;
    try {
      reply = await this.#route(request);
    } catch {
      reply = errorReply({ code: JSON_RPC_CODES.internalError, message: "Internal error" }, 500);
    }
    const origin = request.headers.get("origin");
    return origin === null ? reply : this.#withOrigin(reply, origin);
  }

  #route(request: HttpRequest): Promise<HttpReply> | HttpReply {
    const path = pathOf(request.url);
    switch (request.method) {
      case "POST":
        return this.#post(request, this.#parts.router(path));
      case "OPTIONS":
        return preflight(request);
      case "GET":
      case "HEAD":
        return this.#get(request, path);
      default:
        return notAllowed("GET, POST, OPTIONS");
    }
  }

  async #post(request: HttpRequest, route: Route): Promise<HttpReply> {
    const { dispatcher, maxBodyBytes } = this.#parts;
    if (route.kind === "unknown") return notFound();
    if (this.#isForged(request)) {
      return errorReply(invalidRequest("pages of this origin may not call this node"), 403);
    }
    const body = await readBodyText(request, maxBodyBytes);
    if (body.kind === "refused") return body.reply;
    if (route.kind === "unserved_version") return unservedVersion(route, body.text);
    const notes: ResponseNotes = {};
    const answer = await dispatcher.handle(body.text, route.table, notes);
    if (answer === undefined) return emptyReply(204);
    return notes.retryAfterSeconds === undefined
      ? jsonReply(answer, 200)
      : busy(answer, notes.retryAfterSeconds);
  }

  #get(request: HttpRequest, path: string): HttpReply {
    switch (path) {
      case "/health":
        return textReply("OK", 200);
      case "/ready":
        return this.#ready(request);
      default:
        return this.#parts.router(path).kind === "unknown" ? notFound() : notAllowed("POST");
    }
  }

  #ready(request: HttpRequest): HttpReply {
    const text = new URL(request.url, "http://localhost").searchParams.get("max_lag");
    if (text !== null && !/^\d{1,15}$/.test(text)) {
      return jsonReply(
        JSON.stringify({ error: "max_lag: expected a whole number of blocks" }),
        400,
      );
    }
    const { ready, blockNumber, lagBlocks, reason } = this.#parts.readiness();
    const tooFar = text !== null && lagBlocks > Number(text);
    return jsonReply(
      JSON.stringify({
        ready: ready && !tooFar,
        block_number: blockNumber ?? null,
        lag: lagBlocks,
        ...(reason === undefined
          ? tooFar
            ? { reason: `more than ${text} blocks behind` }
            : {}
          : { reason }),
      }),
      ready && !tooFar ? 200 : 503,
    );
  }

  /**
   * A form post of a foreign page: browsers send it without asking first (CORS calls it a simple
   * request), so that leaving out the CORS headers would come too late.
   */
  #isForged(request: HttpRequest): boolean {
    const { headers } = request;
    const origin = headers.get("origin");
    if (origin === null || this.#parts.isOriginAllowed(origin)) return false;
    return !(headers.get("content-type") ?? "").toLowerCase().startsWith("application/json");
  }

  #withOrigin(reply: HttpReply, origin: string): HttpReply {
    const { anyOrigin, isOriginAllowed } = this.#parts;
    const headers: Record<string, string> = { ...reply.headers };
    if (!anyOrigin) headers["vary"] = "origin";
    if (isOriginAllowed(origin)) headers["access-control-allow-origin"] = anyOrigin ? "*" : origin;
    return { ...reply, headers };
  }
}

function preflight(request: HttpRequest): HttpReply {
  const wanted = request.headers.get("access-control-request-headers");
  return emptyReply(204, {
    "access-control-allow-methods": "GET, POST, OPTIONS",
    "access-control-allow-headers": wanted ?? "content-type",
    "access-control-max-age": "86400",
  });
}

/** A batch may hold answers too: it stays a 200. */
function busy(body: string | Uint8Array, retryAfterSeconds: number): HttpReply {
  const isBatch = (typeof body === "string" ? body.charCodeAt(0) : body[0]) === "[".charCodeAt(0);
  return jsonReply(body, isBatch ? 200 : 429, { "retry-after": String(retryAfterSeconds) });
}

function notFound(): HttpReply {
  return textReply(
    "Not found. JSON-RPC: POST / or /rpc/v0_10. Also GET /health, GET /ready.\n",
    404,
  );
}

function notAllowed(allow: string): HttpReply {
  return textReply(`Method not allowed. Use ${allow}.\n`, 405, { allow });
}

function unservedVersion(
  route: Extract<Route, { kind: "unserved_version" }>,
  body: string,
): HttpReply {
  const error = {
    code: JSON_RPC_CODES.methodNotFound,
    message: "Unsupported RPC version",
    data: `version ${route.version} is not served here; served: ${route.served.join(", ")}`,
  };
  return jsonReply(refuse(error, requestIdOf(body)), 200);
}

/** The path of a path with a query or of an absolute URL. */
function pathOf(url: string): string {
  const start = url.startsWith("/") ? 0 : url.indexOf("/", url.indexOf("//") + 2);
  if (start === -1) return "/";
  const end = url.indexOf("?", start);
  return end === -1 ? url.slice(start) : url.slice(start, end);
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "::1" || hostname.startsWith("127.");
}
