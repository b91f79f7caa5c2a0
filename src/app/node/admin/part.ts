/**
 * Admin methods: status, block orders, the mempool, reverts and the log level, for operators.
 *
 * - Options: `rpc.adminPort`, `rpc.adminTokenFile`.
 * - Threads: none.
 * - Needs: the main context, the query pool, production of the current role.
 * - Routes: the `admin` methods on a separate address, with a bearer token.
 * - Stops: with its address, which the endpoints close.
 */
import {
  type DevnetContext,
  readAdminToken,
  serveAdmin,
  type ServerContext,
} from "#api/rpc/index.ts";
import { adminAccess } from "./admin-access.ts";
import { REFUSED_WHEN_SHARED, REFUSED_ON_FULL_NODE } from "./follower-admin.ts";
import { byCurrentRole, type RoleAdmin } from "./role-admin.ts";
import { BlockOrders } from "../production/block-orders.ts";
import type { ChainView } from "../storage/chain/chain-view.ts";
import { followProgress } from "../production/progress.ts";
import { Production } from "../production/production.ts";
import type { Endpoints } from "../query/part.ts";
import type { NodeHost } from "../setup/node-host.ts";
import type { RoleServices } from "../threads/roles/role-services.ts";
import { httpUrl } from "../setup/http-url.ts";
import type { Reverts } from "../storage/revert/open-revert.ts";
import type { NodeOptions } from "../setup/node-options.ts";
import type { WorkerQueryPool } from "../query/query-pool.ts";

/** Other parts of the node that {@link serveAdminOf} uses. */
export interface AdminNeeds {
  readonly endpoints: Pick<Endpoints, "admin" | "held" | "observer"> & {
    readonly rpc: Pick<Endpoints["rpc"], "connections">;
  };
  /** The role that the node started in. */
  readonly role: { readonly contexts: { readonly main: readonly string[] } };
  /** The current role. */
  readonly roles: { readonly services: RoleServices };
  readonly context: ServerContext | DevnetContext;
  readonly storage: { readonly view: ChainView };
  readonly queryPool: WorkerQueryPool;
  readonly reverts: Pick<Reverts, "chain">;
}

/**
 * Serves the admin methods if they are enabled; each use is logged.
 *
 * @throws {ConfigError} when the file does not hold a token
 */
export function serveAdminOf(
  options: NodeOptions,
  needs: AdminNeeds,
  { threshold, timer, lifecycle, log }: NodeHost,
): void {
  const { endpoints, role, context, queryPool } = needs;
  const { admin: listener, held, observer, rpc } = endpoints;
  const { adminTokenFile } = options.rpc;
  const isServed = role.contexts.main.includes("admin");
  if (listener === null || adminTokenFile === null || !isServed) return;
  const admin = adminAccess({
    options,
    context,
    threshold,
    timer,
    log,
    stop: () => lifecycle.stop(),
    ...byCurrentRole(roleAdmin(needs)),
    ...(options.replication === null ? {} : REFUSED_WHEN_SHARED),
    connections: () => rpc.connections,
  });
  serveAdmin({
    listener,
    token: readAdminToken(adminTokenFile),
    context: { ...context, admin },
    queryPool,
    held,
    observer,
    onRefused: (address) => log.warn("admin: refused a call without the token", { address }),
  });
  const url = httpUrl(listener.hostname, listener.port);
  log.info(`admin methods at ${url}, with the token in ${adminTokenFile}`);
}

/** Returns a getter of the admin operations of the current role. */
function roleAdmin(needs: AdminNeeds): () => RoleAdmin {
  let known: RoleServices | undefined;
  let orders: RoleAdmin = REFUSED_ON_FULL_NODE;
  return () => {
    const services = needs.roles.services;
    if (services !== known) {
      known = services;
      orders = services instanceof Production ? ordersTo(services, needs) : REFUSED_ON_FULL_NODE;
    }
    return orders;
  };
}

function ordersTo(
  { admission, remote }: Pick<Production, "admission" | "remote">,
  { context, storage: { view }, reverts }: Pick<AdminNeeds, "context" | "reverts" | "storage">,
): RoleAdmin {
  const { chain, feed } = view;
  const overlay = () => feed.current();
  const progress = followProgress(view, remote);
  const { chainId } = context;
  const { control } = remote;
  const orders = new BlockOrders({ chainId, chain, overlay, control, progress });
  return { admission, orders, revert: reverts.chain };
}
