import type { Fork } from "../fork/part.ts";
import type { LentEndpoints } from "../query/part.ts";
import type { WorkerQueryPool } from "../query/query-pool.ts";
import type { NodeOptions } from "../setup/node-options.ts";
import type { Generation } from "../setup/renewal.ts";
import { continuedOptions } from "../storage/folder/fork-move.ts";
import type { Reverts } from "../storage/revert/open-revert.ts";
import type { RoleServices } from "../threads/roles/role-services.ts";

/** Parts with requests of clients in flight, which end when others replace the parts. */
export interface RequestedParts {
  readonly lent: Pick<LentEndpoints, "takeBack">;
  readonly reverts: { readonly chain: Pick<Reverts["chain"], "end"> };
  readonly queryPool: Pick<WorkerQueryPool, "hold" | "stop">;
  readonly fork: Pick<Fork, "stop">;
  readonly roles: { readonly services: Pick<RoleServices, "close"> };
}

/** Running parts that those of another chain replace. */
export interface ReplacedParts extends RequestedParts {
  readonly generation: Pick<Generation<unknown>, "replace">;
}

/**
 * Starts all parts of the node again, on the chain that its folder has by then.
 *
 * @param reason - failure of requests in flight
 */
export type Renew = (reason: string) => Promise<void>;

/** Fails the requests in flight, and holds those that arrive for the parts that serve next. */
export async function endRequests(
  { lent, reverts, queryPool, fork, roles }: RequestedParts,
  reason: string,
): Promise<void> {
  lent.takeBack();
  // A revert would restart the threads, which are about to stop.
  await reverts.chain.end(reason);
  await queryPool.hold();
  queryPool.stop(reason);
  fork.stop(reason);
  roles.services.close();
}

/**
 * Returns the function that starts all parts of a node again. Requests that arrive meanwhile wait, those in flight
 * fail, and WebSocket connections end.
 *
 * @param options - options that the node was started with
 */
export function renewalOf(options: NodeOptions, parts: ReplacedParts): Renew {
  return async (reason) => {
    await endRequests(parts, reason);
    await parts.generation.replace(continuedOptions(options));
  };
}
