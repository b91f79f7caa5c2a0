import { readAdminToken, type RpcContext, type RpcObserver, serveAdmin } from "#api/rpc/index.ts";
import { SYSTEM_TIMER } from "#base/primitives/index.ts";
import type { Logger, LogThreshold } from "#base/telemetry/index.ts";
import { adminAccess } from "../admin/admin-access.ts";
import { BlockOrders } from "../production/block-orders.ts";
import type { ChainView } from "../chain/chain-view.ts";
import { followProgress } from "../production/progress.ts";
import type { ToldThreads } from "../production/told-threads.ts";
import { httpUrl } from "./http-url.ts";
import type { Listeners } from "./listeners.ts";
import type { ChainRewind } from "../revert/chain-revert.ts";
import type { NodeOptions } from "../setup/node-options.ts";
import type { Clients } from "../clients/clients.ts";

/** What the admin methods work with. */
export interface AdminParts {
  readonly options: NodeOptions;
  readonly context: RpcContext;
  readonly view: ChainView;
  readonly clients: Pick<Clients, "admission" | "queryPool">;
  readonly rewind: ChainRewind;
  readonly told: Pick<ToldThreads, "control" | "onGrowth" | "onInterrupt">;
  readonly threshold: LogThreshold;
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
export function serveAdminOf({ admin: listener, rpc }: Listeners, parts: AdminParts): void {
  const { options, context, view, clients, told, observer, log } = parts;
  const { adminTokenFile } = options.rpc;
  if (listener === null || adminTokenFile === null) return;
  const { chain, feed } = view;
  const overlay = () => feed.current();
  const progress = followProgress(view, told);
  const { chainId } = context;
  const admin = adminAccess({
    ...parts,
    admission: clients.admission,
    orders: new BlockOrders({ chainId, chain, overlay, control: told.control, progress }),
    timer: SYSTEM_TIMER,
    connections: () => rpc.connections,
  });
  serveAdmin({
    listener,
    token: readAdminToken(adminTokenFile),
    context: { ...context, admin },
    queryPool: clients.queryPool,
    observer,
    onRefused: (address) => log.warn("admin: refused a call without the token", { address }),
  });
  const url = httpUrl(listener.hostname, listener.port);
  log.info(`admin methods at ${url}, with the token of ${adminTokenFile}`);
}
