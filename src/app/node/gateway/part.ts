/**
 * Gateway: the feeder gateway and the gateway, which full nodes follow and forward to.
 *
 * - Options: `gateway`.
 * - Threads: none; queries run in the query pool.
 * - Needs: the main context, the query pool, the role for readiness and leadership.
 * - Offers: its server, which ends its requests together with the JSON-RPC server.
 * - Metrics: requests and their times, by route.
 * - Routes: `/feeder_gateway/*`, `/gateway/*`, `/ready`.
 */
import type { Following, ServerContext } from "#api/rpc/index.ts";
import type { WorkerQueryPool } from "../query/query-pool.ts";
import type { Listeners } from "../query/rpc/listeners.ts";
import type { StoppableServer } from "../query/rpc/serve.ts";
import type { NodeHost } from "../setup/node-host.ts";
import type { NodeOptions } from "../setup/node-options.ts";
import type { NodeSetup } from "../setup/setup.ts";
import type { ChainView } from "../storage/chain/chain-view.ts";
import { publicKeyOf } from "../storage/folder/public-key.ts";
import { gatewayObserver } from "./gateway-observer.ts";
import { serveGatewayOf } from "./serve-gateway.ts";

/** Other parts of the node that {@link serveGateway} uses. */
export interface GatewayNeeds {
  readonly endpoints: Pick<Listeners, "gateway">;
  readonly setup: NodeSetup;
  readonly storage: { readonly view: ChainView };
  readonly roles: { following(): Following | null };
  readonly leadership: { leads(): boolean };
  readonly context: ServerContext;
  readonly queryPool: Pick<WorkerQueryPool, "run">;
}

/**
 * Serves the gateway from now on.
 *
 * @returns its server; none when the options have no gateway
 * @throws {ConfigError} when the signing key cannot be read
 */
export async function serveGateway(
  { gateway }: Pick<NodeOptions, "gateway">,
  { endpoints, setup, storage, roles, leadership, context, queryPool }: GatewayNeeds,
  { metrics, log, disposables }: NodeHost,
): Promise<readonly StoppableServer[]> {
  if (endpoints.gateway === null || gateway === null) return [];
  const server = serveGatewayOf(endpoints.gateway, {
    options: { gateway },
    setup,
    view: storage.view,
    role: roles,
    leads: () => leadership.leads(),
    context,
    queryPool,
    publicKey: await publicKeyOf(setup, disposables),
    gatewayObserver: gatewayObserver(metrics, log),
    log,
  });
  return [server];
}
