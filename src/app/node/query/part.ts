/**
 * Queries: reads, calls, traces and estimates, and the JSON-RPC endpoint that serves them.
 *
 * - Options: `rpc`; `gateway` and `metrics` for the addresses, which are taken together.
 * - Threads: `query` (`query.thread.ts`), the same ones in every role.
 * - Needs: the chain as published, the threads, the compiler.
 * - Offers: {@link WorkerQueryPool}, {@link Endpoints} and the JSON-RPC server.
 * - Metrics: requests, WebSocket connections, bytes held for clients.
 * - Ready: `/ready` answers what the role says.
 * - Stops: queued queries are refused, running ones get a grace period, then they are cancelled.
 */
import type {
  HeldBytes,
  PostRoute,
  RpcObserver,
  SideRoute,
  WsRpcObserver,
} from "#api/rpc/index.ts";
import type { ClassCompiler } from "#services/admission/index.ts";
import type { Fork } from "../fork/part.ts";
import { fileBudget } from "../setup/node-setup.ts";
import type { NodeHost } from "../setup/node-host.ts";
import type { NodeOptions } from "../setup/node-options.ts";
import type { NodeSetup } from "../setup/setup.ts";
import { screenLog } from "../setup/start-screen.ts";
import type { ChainView } from "../storage/chain/chain-view.ts";
import { tryFiles } from "../storage/folder/try-files.ts";
import type { NodeThreads } from "../threads/node-threads.ts";
import { createQueryClient } from "./query-client.ts";
import type { WorkerQueryPool } from "./query-pool.ts";
import { openHeldBudget } from "./rpc/held-budget.ts";
import { lendListener } from "./rpc/lent-listener.ts";
import { type Listeners, openListeners } from "./rpc/listeners.ts";
import { type RpcDeps, serveRpc, type StoppableServer } from "./rpc/serve.ts";
import { rpcObserver, wsRpcObserver } from "./rpc/rpc-observer.ts";

/** Addresses that the node serves on. Clients connect; no request is answered yet. */
export interface Endpoints extends Listeners {
  /** Counts the bytes that the process holds for its clients, over all endpoints. */
  readonly held: HeldBytes;
  /** Counts and times JSON-RPC calls, whichever endpoint they come from. */
  readonly observer: RpcObserver;
  readonly webSocketObserver: WsRpcObserver;
  /** Sets the gauge of {@link held}. */
  refresh(): void;
}

/**
 * Checks keys and files, then takes the addresses: both before anything is written.
 *
 * @throws {ConfigError} names the key or file that cannot be used
 * @throws {NodeError} when the limit of open files is too low, or an address is taken
 */
export async function openEndpoints(
  options: NodeOptions,
  setup: NodeSetup,
  { metrics, log, timer, disposables }: NodeHost,
): Promise<Endpoints> {
  const budget = fileBudget(options);
  if (budget.warning !== undefined) log.warn(budget.warning);
  tryFiles(options, setup);
  const held = openHeldBudget(options.rpc, options.queryThreads, timer, disposables);
  const listeners = await openListeners(options, budget, held, disposables, log);
  return {
    ...listeners,
    held,
    observer: rpcObserver(metrics, log),
    webSocketObserver: wsRpcObserver(metrics, log),
    refresh: () => metrics.clientBytes.set(held.bytes),
  };
}

/**
 * Endpoints as lent to the parts of a node that run now. A move of a fork replaces these parts; the addresses
 * stay open.
 */
export interface LentEndpoints {
  readonly endpoints: Endpoints;
  /** Holds requests for the parts that serve next; a stop of these parts leaves the addresses open. */
  takeBack(): void;
}

/**
 * Wraps a node's endpoints for parts that a move of a fork may replace: after `takeBack`, these parts can no
 * longer close the addresses.
 */
export function lendEndpoints(endpoints: Endpoints): LentEndpoints {
  const rpc = lendListener(endpoints.rpc);
  const { admin } = endpoints;
  return {
    endpoints: { ...endpoints, rpc: rpc.listener },
    takeBack() {
      rpc.takeBack();
      admin?.hold();
    },
  };
}

/** Other parts of the node that {@link openQueries} uses. */
export interface QueryNeeds {
  readonly threads: Pick<NodeThreads, "queries">;
  readonly storage: { readonly view: ChainView };
  readonly compiler: { readonly service: ClassCompiler };
  readonly endpoints: Pick<Endpoints, "held" | "observer">;
  readonly fork: Fork;
}

/** Creates the client of the query threads. */
export function openQueries(
  { rpc }: Pick<NodeOptions, "rpc">,
  { threads, storage: { view }, compiler, fork, endpoints: { held, observer } }: QueryNeeds,
  { timer }: NodeHost,
): WorkerQueryPool {
  return createQueryClient({
    threads: threads.queries,
    view,
    compiler,
    observer,
    timer,
    timeoutMs: rpc.timeoutMs,
    held,
    fork,
  });
}

/** Other parts of the node that {@link serveJsonRpc} uses. */
export interface JsonRpcNeeds {
  readonly endpoints: Pick<Endpoints, "rpc" | "held" | "observer" | "webSocketObserver">;
  readonly storage: { readonly view: ChainView };
  readonly roles: RpcDeps["role"];
  readonly context: RpcDeps["context"];
  readonly devnet: RpcDeps["devnet"];
  readonly queryPool: WorkerQueryPool;
  /** Servers whose requests end with those of this one. */
  readonly gateway: readonly StoppableServer[];
  /** Routes of the explorer; empty without it. */
  readonly explorer: readonly (SideRoute | PostRoute)[];
}

/** Answers JSON-RPC from now on. @returns the URL of the endpoint */
export function serveJsonRpc(
  options: Pick<NodeOptions, "rpc" | "devnet" | "log">,
  { endpoints, storage, roles, context, devnet, queryPool, gateway, explorer }: JsonRpcNeeds,
  { log, disposables }: NodeHost,
): string {
  const { rpc, held, observer, webSocketObserver } = endpoints;
  return serveRpc(rpc, {
    options,
    held,
    view: storage.view,
    role: roles,
    context,
    queryPool,
    devnet,
    observer,
    webSocketObserver,
    log: screenLog(options, log),
    sideRoutes: explorer,
    otherServers: gateway,
    disposables,
  });
}
