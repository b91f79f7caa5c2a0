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

/** What {@link createGatewayServer} works with. */
export interface GatewayServerOptions {
  readonly listener: HttpListener;
  readonly hosts: HostPolicy;
  /** Point reads, and the mempool. */
  readonly context: MainContext;
  /** Makes long answers. */
  readonly queryPool: QueryPool;
  /** Keeps long answers about accepted blocks; to be cleared when blocks are reverted. */
  readonly cache: ResponseCache;
  readonly identity: ChainIdentity;
  /** Tells what is handed to the executor. */
  readonly feed: Pick<LiveFeed, "watch">;
  /** The way into the mempool; on a full node to the sequencer. */
  readonly submit: TransactionSubmitter;
  readonly readiness: () => Readiness;
  /** Whether this node makes the chain's blocks now. */
  readonly leads: () => boolean;
  /** Of each address; `null`: none. */
  readonly rateLimit: RateLimit | null;
  readonly observer: GatewayObserver;
}

/** A running gateway. */
export interface GatewayServer {
  readonly hostname: string;
  readonly port: number;
  /** As {@link HttpListener.stop}. */
  stop(graceMs: number, beforeClose: () => void): Promise<void>;
}

/** Serves the feeder gateway and the gateway from now on. */
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

/** Where a gateway listens, and whom it lets connect. */
export interface GatewayAddress {
  readonly hostname: string;
  /** 0 takes any free one. */
  readonly port: number;
  readonly connections: ConnectionLimits;
  /** Counts what its clients make the process hold. */
  readonly held: HeldBytes;
}

/**
 * Takes the address of a gateway before there is anything to serve. Connections, and bytes of bodies and
 * of answers, have limits of this port alone, beside the one of the process.
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

/** The answer until there is anything to serve. */
const STARTING = textReply("The node is starting.\n", 503, { "retry-after": "1" });
