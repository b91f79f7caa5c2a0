import {
  type CorsPolicy,
  createOriginCheck,
  type HostPolicy,
  isHostAllowed,
  type OriginCheck,
} from "./cors.ts";
import type { QueryPool, RpcContext, RpcObserver } from "./context.ts";
import {
  createDispatcher,
  type DispatchLimits,
  type Dispatcher,
  refuse,
  requestIdOf,
} from "./dispatch.ts";
import { invalidRequest, JSON_RPC_CODES } from "./json-rpc.ts";
import { type Listener, openListener } from "./listener.ts";
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
  readonly listener?: Listener;
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
}

/** Limits of the server. */
export interface HttpLimits extends DispatchLimits {
  /** Most bytes of a request body; a declared class is the largest thing that anyone sends. */
  readonly maxBodyBytes: number;
}

/** A running server. */
export interface RpcServer {
  readonly hostname: string;
  readonly port: number;
  /** As {@link Listener.stop}; without `graceMs`, for as long as requests may take. */
  stop(graceMs?: number, beforeClose?: () => void): Promise<void>;
}

/** Default of {@link HttpLimits.maxBodyBytes}. */
export const DEFAULT_MAX_BODY_BYTES: number = 15 << 20;

/** Longer than any request is under way. */
const LONG_GRACE_MS = 60_000;

const JSON_HEADERS = { "content-type": "application/json" } as const;

/**
 * Starts the JSON-RPC server: POST on the paths of {@link createRouter}, `GET /health` and
 * `GET /ready?max_lag=N`.
 *
 * @throws {NodeError} when the address is in use
 * @throws {ConfigError} when it can not be listened on
 */
export function createRpcServer(options: RpcServerOptions): RpcServer {
  const { cors = "local", tables } = options;
  const listener = options.listener ?? openRpcListener(options);
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
  listener.serve({
    fetch: (request) => server.fetch(request),
    error: () => json(refuse({ code: -32603, message: "Internal error" }), 500),
  });
  return {
    hostname: listener.hostname,
    port: listener.port,
    stop: (graceMs = LONG_GRACE_MS, beforeClose) => listener.stop(graceMs, beforeClose),
  };
}

/**
 * Takes the address of the JSON-RPC server before there is anything to serve.
 *
 * @throws {NodeError | ConfigError} as {@link openListener}
 */
export function openRpcListener({
  hostname = "127.0.0.1",
  port = 9944,
}: Pick<RpcServerOptions, "hostname" | "port">): Listener {
  return openListener({
    hostname,
    port,
    service: "JSON-RPC",
    portOption: "--rpc-port",
    hostOption: "--rpc-host",
  });
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

/** The HTTP side. Responses without `Origin` share one header object: that is the hot path. */
class RpcHttp {
  readonly #parts: RpcHttpParts;

  constructor(parts: RpcHttpParts) {
    this.#parts = parts;
  }

  async fetch(request: Request): Promise<Response> {
    const { hosts } = this.#parts;
    if (hosts !== "any" && !isHostAllowed(request.headers.get("host"), hosts)) {
      return new Response("This node answers to localhost and addresses in digits only.\n", {
        status: 403,
      });
    }
    const response = await this.#route(request);
    const origin = request.headers.get("origin");
    if (origin !== null) this.#allowOrigin(response.headers, origin);
    return response;
  }

  #route(request: Request): Promise<Response> | Response {
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

  async #post(request: Request, route: Route): Promise<Response> {
    const { dispatcher, maxBodyBytes } = this.#parts;
    if (route.kind === "unknown") return notFound();
    if (this.#isForged(request)) {
      return json(refuse(invalidRequest("pages of this origin may not call this node")), 403);
    }
    const body = await readBody(request, maxBodyBytes);
    if (body === undefined) {
      const reason = `the body is longer than ${maxBodyBytes} bytes`;
      return json(refuse(invalidRequest(reason)), 413);
    }
    if (route.kind === "unserved_version") return unservedVersion(route, body);
    const answer = await dispatcher.handle(body, route.table);
    return answer === undefined ? new Response(null, { status: 204 }) : json(answer, 200);
  }

  #get(request: Request, path: string): Response {
    switch (path) {
      case "/health":
        return new Response("OK");
      case "/ready":
        return this.#ready(request);
      default:
        return this.#parts.router(path).kind === "unknown" ? notFound() : notAllowed("POST");
    }
  }

  #ready(request: Request): Response {
    const text = new URL(request.url).searchParams.get("max_lag");
    if (text !== null && !/^\d{1,15}$/.test(text)) {
      return json(JSON.stringify({ error: "max_lag: expected a whole number of blocks" }), 400);
    }
    const { ready, blockNumber, lagBlocks, reason } = this.#parts.readiness();
    const tooFar = text !== null && lagBlocks > Number(text);
    return json(
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
  #isForged(request: Request): boolean {
    const { headers } = request;
    const origin = headers.get("origin");
    if (origin === null || this.#parts.isOriginAllowed(origin)) return false;
    return !(headers.get("content-type") ?? "").toLowerCase().startsWith("application/json");
  }

  #allowOrigin(headers: Headers, origin: string): void {
    const { anyOrigin, isOriginAllowed } = this.#parts;
    if (!anyOrigin) headers.append("vary", "origin");
    if (isOriginAllowed(origin)) {
      headers.set("access-control-allow-origin", anyOrigin ? "*" : origin);
    }
  }
}

function preflight(request: Request): Response {
  const wanted = request.headers.get("access-control-request-headers");
  return new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-methods": "GET, POST, OPTIONS",
      "access-control-allow-headers": wanted ?? "content-type",
      "access-control-max-age": "86400",
    },
  });
}

function json(body: string | Uint8Array, status: number): Response {
  return new Response(body as string, { status, headers: JSON_HEADERS });
}

function notFound(): Response {
  return new Response(
    "Not found. JSON-RPC: POST / or /rpc/v0_10. Also GET /health, GET /ready.\n",
    {
      status: 404,
    },
  );
}

function notAllowed(allow: string): Response {
  return new Response(`Method not allowed. Use ${allow}.\n`, { status: 405, headers: { allow } });
}

function unservedVersion(
  route: Extract<Route, { kind: "unserved_version" }>,
  body: string,
): Response {
  const error = {
    code: JSON_RPC_CODES.methodNotFound,
    message: "Unsupported RPC version",
    data: `version ${route.version} is not served here; served: ${route.served.join(", ")}`,
  };
  return json(refuse(error, requestIdOf(body)), 200);
}

/** Text of the body; `undefined` when it is longer than `maxBytes`. */
async function readBody(request: Request, maxBytes: number): Promise<string | undefined> {
  const declared = request.headers.get("content-length");
  if (declared !== null) return Number(declared) > maxBytes ? undefined : request.text();
  if (request.body === null) return "";
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** The path of an absolute URL, without building a URL object for each request. */
function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  if (start === -1) return "/";
  const end = url.indexOf("?", start);
  return end === -1 ? url.slice(start) : url.slice(start, end);
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "::1" || hostname.startsWith("127.");
}
