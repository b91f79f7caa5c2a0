import {
  type DevnetContext,
  type HeldBytes,
  readAdminToken,
  type RpcObserver,
  serveAdmin,
  type ServerContext,
} from "#api/rpc/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import type { Logger, LogThreshold } from "#base/telemetry/index.ts";
import { adminAccess } from "../admin/admin-access.ts";
import { REFUSED_WHEN_SHARED, REFUSED_ON_FULL_NODE } from "../admin/follower-admin.ts";
import { byCurrentRole, type RoleAdmin } from "../admin/role-admin.ts";
import { BlockOrders } from "../production/block-orders.ts";
import type { ChainView } from "../chain/chain-view.ts";
import { followProgress } from "../production/progress.ts";
import type { Production } from "../clients/production.ts";
import { httpUrl } from "./http-url.ts";
import type { Listeners } from "./listeners.ts";
import type { ChainRevert } from "../revert/chain-revert.ts";
import type { NodeOptions } from "../setup/node-options.ts";
import type { WorkerQueryPool } from "../query/query-pool.ts";

/** Dependencies of {@link serveAdminOf}. */
export interface AdminDeps {
  readonly options: NodeOptions;
  /** Method contexts that the role serves. */
  readonly contexts: { readonly main: readonly string[] };
  readonly context: ServerContext | DevnetContext;
  readonly view: ChainView;
  /** Block production of the current role; `undefined` if it produces no blocks. */
  readonly production: () => Pick<Production, "admission" | "remote"> | undefined;
  readonly queryPool: WorkerQueryPool;
  readonly held: HeldBytes;
  readonly revert: ChainRevert;
  readonly threshold: LogThreshold;
  readonly timer: Timer;
  readonly observer: RpcObserver;
  readonly log: Logger;
  /** Starts an orderly stop of the node. */
  readonly stop: () => void;
}

/**
 * Serves the admin methods if they are enabled; each use is logged.
 *
 * @throws {ConfigError} when the file does not hold a token
 */
export function serveAdminOf({ admin: listener, rpc }: Listeners, deps: AdminDeps): void {
  const { options, contexts, context, queryPool, held, observer, log } = deps;
  const { adminTokenFile } = options.rpc;
  if (listener === null || adminTokenFile === null || !contexts.main.includes("admin")) return;
  const admin = adminAccess({
    ...deps,
    ...byCurrentRole(roleAdmin(deps)),
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
function roleAdmin(deps: AdminDeps): () => RoleAdmin {
  let known: ReturnType<AdminDeps["production"]>;
  let orders: RoleAdmin = REFUSED_ON_FULL_NODE;
  return () => {
    const production = deps.production();
    if (production !== known) {
      known = production;
      orders = production === undefined ? REFUSED_ON_FULL_NODE : ordersTo(production, deps);
    }
    return orders;
  };
}

function ordersTo(
  { admission, remote }: Pick<Production, "admission" | "remote">,
  { context, view, revert }: Pick<AdminDeps, "context" | "revert" | "view">,
): RoleAdmin {
  const { chain, feed } = view;
  const overlay = () => feed.current();
  const progress = followProgress(view, remote);
  const { chainId } = context;
  const { control } = remote;
  const orders = new BlockOrders({ chainId, chain, overlay, control, progress });
  return { admission, orders, revert };
}
