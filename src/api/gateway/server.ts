import type { HostPolicy, HttpListener, MainContext, QueryPool } from "#api/rpc/index.ts";
import { createGatewayHandler, type GatewayRoute } from "./app.ts";

/** What {@link createGatewayServer} works with. */
export interface GatewayServerOptions {
  readonly listener: HttpListener;
  readonly hosts: HostPolicy;
  /** Point reads, and the mempool. */
  readonly context: MainContext;
  /** Makes long answers. */
  readonly queryPool: QueryPool;
  /** What takes transactions. */
  readonly write: readonly GatewayRoute[];
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
  const { listener, hosts, write } = options;
  listener.serve(createGatewayHandler(write, hosts));
  return {
    hostname: listener.hostname,
    port: listener.port,
    stop: (graceMs, beforeClose) => listener.stop(graceMs, beforeClose),
  };
}
