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
import { adminAccess } from "./admin-access.ts";
import { OF_NOBODY, OF_SEQUENCERS } from "./follower-admin.ts";
import { ofRoleNow, type RoleAdmin } from "./role-admin.ts";
import { BlockOrders } from "../production/block-orders.ts";
import type { ChainView } from "../storage/chain/chain-view.ts";
import { followProgress } from "../production/progress.ts";
import type { Production } from "../production/production.ts";
import { httpUrl } from "../metrics/http-url.ts";
import type { Listeners } from "../query/rpc/listeners.ts";
import type { ChainRevert } from "../storage/revert/chain-revert.ts";
import type { NodeOptions } from "../setup/node-options.ts";
import type { WorkerQueryPool } from "../query/query-pool.ts";

/** What the admin methods work with. */
export interface AdminDeps {
  readonly options: NodeOptions;
  /** Those that the role serves. */
  readonly contexts: { readonly main: readonly string[] };
  readonly context: ServerContext | DevnetContext;
  readonly view: ChainView;
  /** `undefined`: the role that the node has now makes no blocks. */
  readonly production: () => Pick<Production, "admission" | "remote"> | undefined;
  readonly queryPool: WorkerQueryPool;
  readonly held: HeldBytes;
  readonly revert: ChainRevert;
  readonly threshold: LogThreshold;
  readonly timer: Timer;
  readonly observer: RpcObserver;
  readonly log: Logger;
  /** Stops the node in order. */
  readonly stop: () => void;
}

/**
 * Serves the admin methods from now on, where they are on; each use is in the log.
 *
 * @throws {ConfigError} when the file does not hold a token
 */
export function serveAdminOf({ admin: listener, rpc }: Listeners, deps: AdminDeps): void {
  const { options, contexts, context, queryPool, held, observer, log } = deps;
  const { adminTokenFile } = options.rpc;
  if (listener === null || adminTokenFile === null || !contexts.main.includes("admin")) return;
  const admin = adminAccess({
    ...deps,
    ...ofRoleNow(roleAdmin(deps)),
    ...(options.replication === null ? {} : OF_NOBODY),
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
  log.info(`admin methods at ${url}, with the token of ${adminTokenFile}`);
}

/** Gives what the role that the node has now does. */
function roleAdmin(deps: AdminDeps): () => RoleAdmin {
  let known: ReturnType<AdminDeps["production"]>;
  let orders: RoleAdmin = OF_SEQUENCERS;
  return () => {
    const production = deps.production();
    if (production !== known) {
      known = production;
      orders = production === undefined ? OF_SEQUENCERS : ordersTo(production, deps);
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
