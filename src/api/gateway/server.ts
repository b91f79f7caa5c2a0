import {
  type ConnectionLimits,
  type HeldBytes,
  type HostPolicy,
  HTTP_TIMEOUTS,
  type HttpListener,
  type LiveFeed,
  type MainContext,
  openHttpListener,
  type QueryPool,
  type RateLimit,
  type Readiness,
  type ResponseCache,
  systemRateLimiter,
  textReply,
  type TransactionSubmitter,
} from "#api/rpc/index.ts";
import { createGatewayHandler } from "./app.ts";
import { CandidateBook, type ChainIdentity, createFeederRoutes } from "./feeder/index.ts";
import type { GatewayObserver } from "./observer.ts";
import { addTransactionRoute } from "./write/add-transaction.ts";

/** Dependencies and settings of {@link createGatewayServer}. */
export interface GatewayServerOptions {
  readonly listener: HttpListener;
  readonly hosts: HostPolicy;
  /** Serves point reads and mempool lookups. */
  readonly context: MainContext;
  readonly queryPool: QueryPool;
  /** Caches long responses about accepted blocks; the owner clears it when blocks are reverted. */
  readonly cache: ResponseCache;
  readonly identity: ChainIdentity;
  /** Reports transactions passed to the executor. */
  readonly feed: Pick<LiveFeed, "watch">;
  /** Submits transactions to the mempool; on a full node, to the sequencer. */
  readonly submit: TransactionSubmitter;
  readonly readiness: () => Readiness;
  /** Whether this node currently produces blocks. */
  readonly leads: () => boolean;
  /** Rate limit per client address; `null` for no limit. */
  readonly rateLimit: RateLimit | null;
  readonly observer: GatewayObserver;
}

/** Handle of a running gateway. */
export interface GatewayServer {
  readonly hostname: string;
  readonly port: number;
  /** Same as {@link HttpListener.stop}. */
  stop(graceMs: number, beforeClose: () => void): Promise<void>;
}

/** Starts serving the feeder gateway and the gateway on an open listener. */
export function createGatewayServer(options: GatewayServerOptions): GatewayServer {
  const { listener, hosts, submit, feed, readiness, leads, rateLimit, observer } = options;
  const candidates = new CandidateBook(feed, () => performance.now());
  const routes = [...createFeederRoutes({ ...options, candidates }), addTransactionRoute(submit)];
  const rateLimiter = rateLimit === null ? null : systemRateLimiter(rateLimit);
  listener.serve(createGatewayHandler({ routes, hosts, rateLimiter, readiness, leads, observer }));
  return {
    hostname: listener.hostname,
    port: listener.port,
    stop: (graceMs, beforeClose) => listener.stop(graceMs, beforeClose),
  };
}

/** Address a gateway listens on, and the limits of its connections. */
export interface GatewayAddress {
  readonly hostname: string;
  /** 0 picks any free port. */
  readonly port: number;
  readonly connections: ConnectionLimits;
  /** Counts the bytes that clients make the process hold. */
  readonly held: HeldBytes;
}

/**
 * Binds the gateway's address before the routes are ready. Connections and the bytes of bodies and responses
 * have limits of this port, in addition to those of the process.
 *
 * @throws {NodeError | ConfigError} as {@link openHttpListener}
 */
export async function openGatewayListener(address: GatewayAddress): Promise<HttpListener> {
  const { hostname, port, connections, held } = address;
  const names = {
    service: "gateway",
    portOption: "--gateway-port",
    hostOption: "--gateway-external",
  };
  const options = { hostname, port, ...names };
  const listener = await openHttpListener(options, HTTP_TIMEOUTS, connections, held);
  listener.serve(() => STARTING);
  return listener;
}

/** Response until the routes are ready. */
const STARTING = textReply("The node is starting.\n", 503, { "retry-after": "1" });
