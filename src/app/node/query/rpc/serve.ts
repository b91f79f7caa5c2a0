import {
  createMethodTables,
  createRpcServer,
  type DevnetContext,
  type Following,
  type HeldBytes,
  hostPolicyOf,
  type MethodTable,
  readinessOf,
  type RpcObserver,
  type RpcServer,
  type ServerContext,
  type PostRoute,
  type SideRoute,
  withDevnet,
  withDiscovery,
  withRestricted,
  WS_LIMITS,
  WS_TIMES,
  type WsRpcObserver,
} from "#api/rpc/index.ts";
import type { Logger } from "#base/telemetry/index.ts";
import type { ChainView } from "../../storage/chain/chain-view.ts";
import { restrictedMethods } from "./restricted-methods.ts";
import { httpUrl } from "../../setup/http-url.ts";
import type { Listeners } from "./listeners.ts";
import type { NodeOptions } from "../../setup/node-options.ts";
import type { WorkerQueryPool } from "../query-pool.ts";
import type { MainDevnet } from "./main-devnet.ts";
import { originsText } from "../../setup/origins-text.ts";
import { notifyReceived } from "./notify-received.ts";

/** Dependencies of {@link serveRpc}. */
export interface RpcDeps {
  readonly options: Pick<NodeOptions, "rpc" | "devnet">;
  readonly held: HeldBytes;
  readonly view: Pick<ChainView, "live" | "answers">;
  /** Settles requests that wait for the role's threads at shutdown. */
  readonly role: { stop(): void; following(): Following | null };
  readonly context: ServerContext | DevnetContext;
  readonly queryPool: Pick<WorkerQueryPool, "run" | "stop" | "cancel">;
  /** Development features; `undefined` if their methods do not exist. */
  readonly devnet: MainDevnet | undefined;
  readonly observer: RpcObserver;
  /** Observes requests over WebSocket. */
  readonly webSocketObserver: WsRpcObserver;
  /** Paths of other interfaces on the same port. */
  readonly sideRoutes: readonly (SideRoute | PostRoute)[];
  readonly log: Logger;
  /** Further servers whose requests end together with this one's. */
  readonly otherServers: readonly StoppableServer[];
  /** Ends requests at shutdown. */
  readonly disposables: AsyncDisposableStack;
}

/** Starts serving JSON-RPC. @returns the URL of the server */
export function serveRpc(listener: Listeners["rpc"], deps: RpcDeps): string {
  const { options, view, role, queryPool, context, devnet, log, otherServers, disposables } = deps;
  const announced = notifyReceived(context.submit, view.live);
  const submit = devnet?.answering(announced) ?? announced;
  const server =
    "devnet" in context
      ? serve(listener, deps, { ...context, submit }, devnetTables(options.devnet))
      : serve(listener, deps, { ...context, submit }, createMethodTables());
  disposables.defer(() => stopRequests({ role, queryPool }, [server, ...otherServers]));
  const url = httpUrl(server.hostname, server.port);
  log.info(`JSON-RPC server at ${url}`, { allowed_origins: originsText(options.rpc) });
  return url;
}

/** Serves method tables with a context that matches them. */
function serve<C extends ServerContext>(
  listener: Listeners["rpc"],
  { options, held, view, role, queryPool, observer, webSocketObserver, sideRoutes }: RpcDeps,
  context: C,
  [newest, ...older]: MethodTables<C>,
): RpcServer {
  const {
    host,
    cors,
    allowedHosts,
    maxRequestSizeBytes,
    maxBatch,
    maxResponseSizeBytes,
    rateLimit,
  } = options.rpc;
  const { maxSubscriptionsPerConnection: maxSubscriptions } = options.rpc;
  return createRpcServer({
    listener,
    held,
    cors,
    hosts: allowedHosts ?? hostPolicyOf(host, cors),
    context,
    tables: [withDiscovery(newest), ...older.map((table) => withDiscovery(table))],
    queryPool,
    observer,
    webSocketObserver,
    feed: view.live,
    cache: view.answers,
    webSockets: { limits: { ...WS_LIMITS, maxSubscriptions }, times: WS_TIMES },
    readiness: () => readinessOf(context.chain, role.following()),
    rateLimit,
    sideRoutes,
    limits: {
      maxBodyBytes: maxRequestSizeBytes,
      maxBatchLength: maxBatch,
      maxResponseBytes: maxResponseSizeBytes,
    },
  });
}

/** Grace period of requests in flight when the node stops, in milliseconds. */
export const REQUEST_GRACE_MS = 800;

/** Server that stops with a grace period. */
export interface StoppableServer {
  stop(graceMs: number, onGraceOver: () => void): Promise<void>;
}

/**
 * Ends requests of all servers: queued ones get the error of a stopping node. Running ones have
 * {@link REQUEST_GRACE_MS}, then queries are cancelled.
 */
export async function stopRequests(
  {
    role,
    queryPool,
  }: {
    readonly role: { stop(): void };
    readonly queryPool: Pick<WorkerQueryPool, "stop" | "cancel">;
  },
  servers: readonly StoppableServer[],
): Promise<void> {
  queryPool.stop();
  role.stop();
  await Promise.all(
    servers.map((server) => server.stop(REQUEST_GRACE_MS, () => queryPool.cancel())),
  );
}

/** Newest first. */
type MethodTables<C> = readonly [MethodTable<C>, ...MethodTable<C>[]];

/** Method tables of a development chain, without the restricted methods. */
function devnetTables(options: NodeOptions["devnet"]): MethodTables<DevnetContext> {
  const [newest, ...older] = createMethodTables();
  const restricted = options?.restrictedMethods ?? null;
  const names = restricted === null ? [] : restrictedMethods(restricted, withDevnet(newest));
  const served = (table: typeof newest): MethodTable<DevnetContext> =>
    withRestricted(withDevnet(table), names);
  return [served(newest), ...older.map(served)];
}
