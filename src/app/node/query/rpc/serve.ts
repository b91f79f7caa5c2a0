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
import { httpUrl } from "../../metrics/http-url.ts";
import type { Listeners } from "./listeners.ts";
import type { NodeOptions } from "../../setup/node-options.ts";
import type { WorkerQueryPool } from "../query-pool.ts";
import type { MainDevnet } from "./main-devnet.ts";
import { originsText } from "../../metrics/start-log.ts";
import { tellReceived } from "./tell-received.ts";

/** What the JSON-RPC server works with. */
export interface RpcDeps {
  readonly options: Pick<NodeOptions, "rpc" | "devnet">;
  readonly held: HeldBytes;
  readonly view: Pick<ChainView, "live" | "answers">;
  /** Answers whoever waits for its threads when requests end. */
  readonly role: { stop(): void; following(): Following | null };
  readonly context: ServerContext | DevnetContext;
  readonly queryPool: Pick<WorkerQueryPool, "run" | "stop" | "cancel">;
  /** The development features; `undefined`: their methods are not found. */
  readonly devnet: MainDevnet | undefined;
  readonly observer: RpcObserver;
  /** Watches what is asked over WebSocket. */
  readonly webSocketObserver: WsRpcObserver;
  readonly log: Logger;
  /** Servers whose requests end with those of this one. */
  readonly beside: readonly StoppableServer[];
  /** Gets what ends requests. */
  readonly disposables: AsyncDisposableStack;
}

/** Answers JSON-RPC from now on. @returns the address of the server */
export function serveRpc(listener: Listeners["rpc"], deps: RpcDeps): string {
  const { options, view, role, queryPool, context, devnet, log, beside, disposables } = deps;
  const announced = tellReceived(context.submit, view.live);
  const submit = devnet?.answering(announced) ?? announced;
  const server =
    "devnet" in context
      ? serve(listener, deps, { ...context, submit }, devnetTables(options.devnet))
      : serve(listener, deps, { ...context, submit }, createMethodTables());
  disposables.defer(() => stopRequests({ role, queryPool }, [server, ...beside]));
  const url = httpUrl(server.hostname, server.port);
  log.info(`JSON-RPC server at ${url}`, { allowed_origins: originsText(options.rpc) });
  return url;
}

/** Serves tables with a context that has all that they need. */
function serve<C extends ServerContext>(
  listener: Listeners["rpc"],
  { options, held, view, role, queryPool, observer, webSocketObserver }: RpcDeps,
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
    limits: {
      maxBodyBytes: maxRequestSizeBytes,
      maxBatchLength: maxBatch,
      maxResponseBytes: maxResponseSizeBytes,
    },
  });
}

/** How long requests under way may go on when the node stops. */
export const REQUEST_GRACE_MS = 800;

/** A server that lets requests end for a while. */
export interface StoppableServer {
  stop(graceMs: number, onGraceOver: () => void): Promise<void>;
}

/**
 * Ends requests of all servers in order: what waits is answered that the node is stopping; what runs has
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

/** The methods of a development chain, without those that are forbidden. */
function devnetTables(options: NodeOptions["devnet"]): MethodTables<DevnetContext> {
  const [newest, ...older] = createMethodTables();
  const given = options?.restrictedMethods ?? null;
  const names = given === null ? [] : restrictedMethods(given, withDevnet(newest));
  const served = (table: typeof newest): MethodTable<DevnetContext> =>
    withRestricted(withDevnet(table), names);
  return [served(newest), ...older.map(served)];
}
