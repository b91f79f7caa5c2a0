import { afterAll } from "bun:test";
import {
  type ConnectionLimits,
  createMethodTables,
  createRpcServer,
  hostPolicyOf,
  HTTP_TIMEOUTS,
  LiveFeed,
  openRpcListener,
  type Following,
  readinessOf,
  type RpcServerOptions,
} from "#api/rpc/index.ts";
import type { HttpLimits } from "#api/rpc/http/server.ts";
import type { HttpTimeouts } from "#api/rpc/http/timeouts.ts";
import type { WebSocketSettings } from "#api/rpc/ws/service.ts";
import { RawConnection, type RawResponse } from "./raw-http.ts";
import { sampleContext } from "./sample-chain.ts";
import {
  CONNECTION_LIMITS,
  HTTP_LIMITS,
  localPool,
  newCache,
  SILENT,
  SILENT_WS,
  WEB_SOCKETS,
  type FullContext,
} from "./serving.ts";
import { roomyBytes } from "./held-bytes.ts";

/**
 * Bytes that a raw client sends: parts of a request, and between them pauses in milliseconds, given
 * as numbers.
 */
export type RawParts = readonly (string | Uint8Array | number)[];

/** Settings of a server of the sample chain. */
export interface SampleOptions<C extends FullContext> extends Partial<
  Omit<RpcServerOptions<C>, "limits" | "webSockets">
> {
  /** Replaces {@link RpcServerOptions.listener}. */
  readonly hostname?: string;
  /** State of a follower; omitted if the node follows nothing. */
  readonly following?: Following;
  /** Default: any free port. */
  readonly port?: number;
  readonly timeouts?: Partial<HttpTimeouts>;
  readonly connections?: ConnectionLimits;
  readonly limits?: Partial<HttpLimits>;
  readonly webSockets?: {
    readonly limits?: Partial<WebSocketSettings["limits"]>;
    readonly times?: Partial<WebSocketSettings["times"]>;
  };
}

/** A running server with a default grace period at its stop. */
export interface SampleServer {
  readonly hostname: string;
  readonly port: number;
  stop(graceMs?: number, beforeClose?: () => void): Promise<void>;
}

/** Longer than any request takes. */
const LONG_GRACE_MS = 60_000;

/** Listens on a free port of this machine. */
export function openSampleListener({
  hostname = "127.0.0.1",
  port = 0,
  timeouts = {},
  connections = CONNECTION_LIMITS,
}: Pick<
  SampleOptions<FullContext>,
  "hostname" | "port" | "timeouts" | "connections"
> = {}): Promise<RpcServerOptions<FullContext>["listener"]> {
  return openRpcListener({
    hostname,
    port,
    timeouts: { ...HTTP_TIMEOUTS, ...timeouts },
    connections,
    held: roomyBytes(),
  });
}

/** Starts a server of the sample chain on a free port; its queries run on this thread. */
export async function serveSample<C extends FullContext = FullContext>(
  options: SampleOptions<C> = {},
): Promise<SampleServer> {
  const {
    hostname,
    port: _,
    timeouts: __,
    connections: ___,
    limits,
    webSockets,
    ...parts
  } = options;
  // Tables with more methods come with a context that supports them.
  const context = parts.context ?? (sampleContext() as C);
  const { cors = "local", observer = SILENT } = parts;
  const listener = parts.listener ?? (await openSampleListener(options));
  const server = createRpcServer({
    listener,
    held: roomyBytes(),
    cors,
    hosts: hostPolicyOf(hostname ?? listener.hostname, cors),
    context,
    tables: createMethodTables(),
    queryPool: localPool(context, createMethodTables(), observer),
    observer,
    webSocketObserver: SILENT_WS,
    cache: newCache(),
    feed: new LiveFeed(),
    readiness: () => readinessOf(context.chain, options.following ?? null),
    rateLimit: null,
    sideRoutes: [],
    ...parts,
    limits: { ...HTTP_LIMITS, ...limits },
    webSockets: {
      limits: { ...WEB_SOCKETS.limits, ...webSockets?.limits },
      times: { ...WEB_SOCKETS.times, ...webSockets?.times },
    },
  });
  return {
    hostname: server.hostname,
    port: server.port,
    stop: (graceMs = LONG_GRACE_MS, beforeClose = () => undefined) =>
      server.stop(graceMs, beforeClose),
  };
}

/** Starts servers; all stop after the tests of the file. */
export function sampleServers(): <C extends FullContext = FullContext>(
  options?: SampleOptions<C>,
) => Promise<string> {
  const servers: SampleServer[] = [];
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()));
  });
  return async (options = {}) => {
    const server = await serveSample(options);
    servers.push(server);
    return `http://127.0.0.1:${server.port}`;
  };
}

/** Default request of {@link postTo}. */
export const SPEC_VERSION_BODY = '{"jsonrpc":"2.0","id":1,"method":"starknet_specVersion"}';

/** Body and headers of a request. */
export interface PostOptions {
  readonly body?: string | ReadableStream<Uint8Array>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Posts JSON to a path of a server, which may still be starting. */
export async function postTo(
  base: string | Promise<string>,
  path: string,
  { body = SPEC_VERSION_BODY, headers = {} }: PostOptions = {},
): Promise<Response> {
  return fetch((await base) + path, {
    method: "POST",
    body,
    headers: { "content-type": "application/json", ...headers },
  });
}

/** Number of expected responses, and whether they are for HEAD and have no body. */
export interface ExchangeOptions {
  readonly count?: number;
  readonly isHead?: boolean;
}

/** Sends the parts on a separate connection. @returns the first responses, and the connection */
export async function exchange(
  port: number,
  parts: RawParts,
  { count = 1, isHead = false }: ExchangeOptions = {},
): Promise<{ readonly answers: readonly RawResponse[]; readonly connection: RawConnection }> {
  const connection = await RawConnection.open(port, isHead);
  for (const part of parts) {
    if (typeof part === "number") await Bun.sleep(part);
    else connection.send(part);
  }
  return { answers: await connection.responses(count), connection };
}
