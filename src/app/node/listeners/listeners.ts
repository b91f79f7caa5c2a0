import {
  HTTP_TIMEOUTS,
  type Listener,
  openAdminListener,
  openRpcListener,
} from "#api/rpc/index.ts";
import { openMetricsListener } from "./metrics-server.ts";
import type { NodeOptions } from "../setup/node-options.ts";

/** The addresses that a node has taken. */
export interface Listeners {
  readonly rpc: Awaited<ReturnType<typeof openRpcListener>>;
  /** `null`: no metrics endpoint. */
  readonly metrics: Listener | null;
  /** `null`: no admin methods. */
  readonly admin: Awaited<ReturnType<typeof openAdminListener>> | null;
}

/**
 * Takes the addresses that a node serves on; nobody is answered yet.
 *
 * @param parts - gets what gives them back
 * @throws {NodeError | ConfigError} when an address cannot be taken; says which option changes it
 */
export async function openListeners(
  { rpc, metrics }: Pick<NodeOptions, "rpc" | "metrics">,
  parts: AsyncDisposableStack,
): Promise<Listeners> {
  const rpcListener = await openRpcListener({
    hostname: rpc.host,
    port: rpc.port,
    timeouts: HTTP_TIMEOUTS,
    connections: rpc.connections,
  });
  parts.defer(() => rpcListener.stop(0));
  const metricsListener = metrics === null ? null : openMetricsListener(metrics);
  parts.defer(() => metricsListener?.stop(0));
  const adminListener = rpc.adminTokenFile === null ? null : await openAdminListener(rpc.adminPort);
  parts.defer(() => adminListener?.stop(0));
  return { rpc: rpcListener, metrics: metricsListener, admin: adminListener };
}
