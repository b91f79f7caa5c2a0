import {
  createMethodTables,
  createRpcServer,
  type MethodTable,
  type RpcContext,
  type RpcObserver,
  withDevnet,
  withDiscovery,
  withRestricted,
} from "#api/rpc/index.ts";
import type { Logger, NodeMetrics } from "#base/telemetry/index.ts";
import type { ChainView } from "../chain/chain-view.ts";
import { restrictedMethods } from "../devnet/restricted-methods.ts";
import { httpUrl } from "./http-url.ts";
import type { Listeners } from "./listeners.ts";
import { serveMetrics } from "./metrics-server.ts";
import { databaseBytes } from "../reports/node-metrics.ts";
import type { NodeOptions } from "../setup/node-options.ts";
import type { WorkerQueryPool } from "../query/query-pool.ts";
import type { MainDevnet } from "../devnet/main-devnet.ts";
import type { NodeFiles } from "../setup/node-files.ts";
import { originsText } from "../reports/start-log.ts";
import { tellReceived } from "./tell-received.ts";

/** What the JSON-RPC server works with. */
export interface RpcParts {
  readonly options: Pick<NodeOptions, "rpc" | "devnet">;
  readonly view: Pick<ChainView, "live" | "answers">;
  /** Answers whoever waits for its threads when requests end. */
  readonly role: { stop(): void };
  readonly context: RpcContext;
  readonly queryPool: WorkerQueryPool;
  /** The comforts of a development chain; `undefined`: their methods are not found. */
  readonly devnet: MainDevnet | undefined;
  readonly observer: RpcObserver;
  /** Watches what is asked over WebSocket. */
  readonly webSocketObserver: RpcObserver;
  readonly log: Logger;
  /** Gets what ends requests. */
  readonly disposables: AsyncDisposableStack;
}

/** Answers JSON-RPC from now on. @returns the address of the server */
export async function serveRpc(
  listener: Listeners["rpc"],
  {
    options,
    view,
    role,
    queryPool,
    context,
    devnet,
    observer,
    webSocketObserver,
    log,
    disposables,
  }: RpcParts,
): Promise<string> {
  const { host, cors, maxRequestSizeBytes, maxBatch, maxResponseSizeBytes } = options.rpc;
  const { live } = view;
  const tables = devnet === undefined ? createMethodTables() : devnetTables(options.devnet);
  const [newest, ...older] = tables;
  const announced = context.submit && tellReceived(context.submit, live);
  const submit = announced && (devnet?.answering(announced) ?? announced);
  const server = await createRpcServer({
    hostname: host,
    listener,
    cors,
    context: { ...context, ...(submit && { submit }) },
    tables: [withDiscovery(newest), ...older.map(withDiscovery)],
    queryPool,
    observer,
    webSocketObserver,
    feed: live,
    cache: view.answers,
    webSockets: { limits: { maxSubscriptions: options.rpc.maxSubscriptionsPerConnection } },
    rateLimit: options.rpc.rateLimit ?? undefined,
    limits: {
      maxBodyBytes: maxRequestSizeBytes,
      maxBatchLength: maxBatch,
      maxResponseBytes: maxResponseSizeBytes,
    },
  });
  disposables.defer(() => stopRequests({ role, queryPool }, server));
  const url = httpUrl(server.hostname, server.port);
  log.info(`JSON-RPC server at ${url}`, { allowed_origins: originsText(options.rpc) });
  return url;
}

/** How long requests under way may go on when the node stops. */
export const REQUEST_GRACE_MS = 800;

/**
 * Ends requests in order: what waits is answered that the node is stopping; what runs has
 * {@link REQUEST_GRACE_MS}, then queries are cancelled.
 */
export function stopRequests(
  {
    role,
    queryPool,
  }: {
    readonly role: { stop(): void };
    readonly queryPool: Pick<WorkerQueryPool, "stop" | "cancel">;
  },
  server: { stop(graceMs: number, onGraceOver: () => void): Promise<void> },
): Promise<void> {
  queryPool.stop();
  role.stop();
  return server.stop(REQUEST_GRACE_MS, () => queryPool.cancel());
}

/** The methods of a development chain, without those that are forbidden. */
function devnetTables(options: NodeOptions["devnet"]): readonly [MethodTable, ...MethodTable[]] {
  const [newest, ...older] = createMethodTables();
  const given = options?.restrictedMethods ?? null;
  const names = given === null ? [] : restrictedMethods(given, withDevnet(newest));
  const served = (table: MethodTable): MethodTable => withRestricted(withDevnet(table), names);
  return [served(newest), ...older.map(served)];
}

/** What the metrics endpoint works with. */
export interface MetricsParts {
  readonly metrics: NodeMetrics;
  readonly files: NodeFiles;
  readonly log: Logger;
}

/**
 * Serves metrics from now on, where that is wanted.
 *
 * @returns the address of the endpoint; `null` without one
 */
export function serveMetricsOf(
  listener: Listeners["metrics"],
  { metrics, files, log }: MetricsParts,
): string | null {
  const url =
    listener === null
      ? null
      : serveMetrics(listener, metrics, () => metrics.databaseSizeBytes.set(databaseBytes(files)));
  log.info(url === null ? "metrics endpoint: off" : `metrics endpoint at ${url}`);
  return url;
}
