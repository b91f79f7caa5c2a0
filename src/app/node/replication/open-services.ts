import type { syncOptions } from "#app/options/index.ts";
import type { ClassCompiler } from "#services/admission/index.ts";
import { l1ChainPort } from "../l1/chain-port.ts";
import type { L1Connection } from "../l1/l1-connection.ts";
import { openProduction } from "../production/part.ts";
import type { WorkerQueryPool } from "../query/query-pool.ts";
import type { NodeHost } from "../setup/node-host.ts";
import type { NodeOptions } from "../setup/node-options.ts";
import type { NodeSetup } from "../setup/setup.ts";
import type { OpenedStorage } from "../storage/part.ts";
import type { Reverts } from "../storage/revert/open-revert.ts";
import { openFollower } from "../sync/part.ts";
import type { NodeThreads } from "../threads/node-threads.ts";
import type { Role } from "../threads/roles/role.ts";
import type { RoleServices } from "../threads/roles/role-services.ts";
import type { BlockReports } from "./block-reports.ts";
import type { Replication } from "./part.ts";

/** Needs of the services of every role that a node may take. */
export interface RoleServicesNeeds {
  readonly threads: Pick<NodeThreads, "end" | "validators">;
  readonly queryPool: WorkerQueryPool;
  readonly storage: Pick<OpenedStorage, "view" | "stored">;
  readonly compiler: { readonly service: ClassCompiler };
  readonly reports: BlockReports;
  readonly reverts: Pick<Reverts, "chain">;
  /** Restarts the threads in the same role. */
  readonly roles: { restart(work: () => Promise<void>): Promise<void> };
  readonly leadership: Pick<Replication, "leader" | "publication">;
  readonly l1: Pick<L1Connection, "follow">;
}

/** Opens the services of a role. */
export type OpenRoleServices = (role: Role, setup: NodeSetup) => RoleServices;

/** Creates what opens the services whenever the node takes a role. */
export function roleServices(
  options: Pick<NodeOptions, keyof typeof syncOptions | "log">,
  needs: RoleServicesNeeds,
  host: NodeHost,
): OpenRoleServices {
  const { threads, queryPool, storage, compiler, reports, reverts, roles, leadership, l1 } = needs;
  const { view, stored } = storage;
  const l1Chain = l1ChainPort(view, stored);
  return (_, setup) =>
    setup.follow === null
      ? openProduction(
          {
            setup,
            threads,
            queryPool,
            view,
            compiler,
            reports: reports.production,
            publication: leadership.publication,
            l1,
            l1Chain,
          },
          host,
        )
      : openFollower(
          setup.follow,
          {
            options,
            setup,
            threads,
            view,
            compiler,
            revert: reverts.chain,
            restart: () => roles.restart(() => Promise.resolve()),
            report: reports.imports,
            leader: leadership.leader,
            l1,
            l1Chain,
          },
          host,
        );
}
