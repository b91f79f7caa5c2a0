import { openGatewayListener } from "#api/gateway/index.ts";
import {
  type HeldBytes,
  HTTP_TIMEOUTS,
  type HttpListener,
  type Listener,
  openAdminListener,
  openRpcListener,
} from "#api/rpc/index.ts";
import { NodeError } from "#base/errors/index.ts";
import type { Logger } from "#base/telemetry/index.ts";
import type { FileBudget } from "../../setup/file-limit.ts";
import { openMetricsListener } from "../../metrics/metrics-server.ts";
import type { MetricsOptions, NodeOptions } from "../../setup/node-options.ts";

/** Listening sockets of a node's servers, one per bound address. */
export interface Listeners {
  readonly rpc: Awaited<ReturnType<typeof openRpcListener>>;
  /** `null` if the gateway is off. */
  readonly gateway: HttpListener | null;
  /** `null` if metrics are off. */
  readonly metrics: Listener | null;
  /** `null` if admin methods are off. */
  readonly admin: Awaited<ReturnType<typeof openAdminListener>> | null;
}

/**
 * Binds the addresses that a node serves on; requests are not answered yet.
 *
 * @param budget - maximum connections within the limit of open files
 * @param held - counts the bytes held for their clients
 * @param disposables - closes the listeners
 * @throws {NodeError | ConfigError} when an address cannot be bound; names the option that changes it
 */
export async function openListeners(
  { rpc, gateway, metrics }: Pick<NodeOptions, "rpc" | "gateway" | "metrics">,
  budget: FileBudget,
  held: HeldBytes,
  disposables: AsyncDisposableStack,
  log: Pick<Logger, "warn">,
): Promise<Listeners> {
  const rpcListener = await openRpcListener({
    hostname: rpc.host,
    port: rpc.port,
    timeouts: HTTP_TIMEOUTS,
    connections: { ...rpc.connections, max: budget.rpcConnections },
    held,
  });
  disposables.defer(() => close(rpcListener));
  const gatewayListener =
    gateway &&
    (await openGatewayListener({
      hostname: gateway.host,
      port: gateway.port,
      connections: { max: budget.gatewayConnections, maxPerAddress: Infinity },
      held,
    }));
  disposables.defer(() => close(gatewayListener));
  const metricsListener = metrics === null ? null : openMetrics(metrics, log);
  disposables.defer(() => close(metricsListener));
  const adminListener =
    rpc.adminTokenFile === null ? null : await openAdminListener(rpc.adminPort, held);
  disposables.defer(() => close(adminListener));
  return {
    rpc: rpcListener,
    gateway: gatewayListener,
    metrics: metricsListener,
    admin: adminListener,
  };
}

/** @returns `null` if the port is taken and no option requires the endpoint */
function openMetrics(metrics: MetricsOptions, log: Pick<Logger, "warn">): Listener | null {
  try {
    return openMetricsListener(metrics);
  } catch (error) {
    const isTaken = error instanceof NodeError && error.code === "NODE_PORT_TAKEN";
    if (!isTaken || !metrics.isOptional) throw error;
    log.warn(`no metrics: ${error.message}`);
    return null;
  }
}

/** Closes a listener if it is still open; requests in flight have ended before. */
async function close(listener: Pick<Listener, "stop"> | null): Promise<void> {
  await listener?.stop(0, () => undefined);
}
