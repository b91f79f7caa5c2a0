import type { Fork } from "../fork/part.ts";
import type { LentEndpoints } from "../query/part.ts";
import type { WorkerQueryPool } from "../query/query-pool.ts";
import type { NodeHost } from "../setup/node-host.ts";
import type { NodeOptions } from "../setup/node-options.ts";
import type { Generation } from "../setup/renewal.ts";
import type { Reverts } from "../storage/revert/open-revert.ts";
import {
  decideForkMove,
  deleteStaged,
  movedOptions,
  stageForkMove,
} from "../storage/folder/fork-move.ts";
import type { RoleServices } from "../threads/roles/role-services.ts";
import { ForkMove } from "./fork-move.ts";

/** Parts with requests of clients in flight, which end when others replace the parts. */
export interface RequestedParts {
  readonly lent: Pick<LentEndpoints, "takeBack">;
  readonly reverts: { readonly chain: Pick<Reverts["chain"], "end"> };
  readonly queryPool: Pick<WorkerQueryPool, "hold" | "stop">;
  readonly fork: Pick<Fork, "stop">;
  readonly roles: { readonly services: Pick<RoleServices, "close"> };
}

/** Running parts that a moved fork replaces. */
export interface ReplacedParts extends RequestedParts {
  readonly generation: Pick<Generation<unknown>, "replace">;
}

/** Failure of requests that were in flight when the fork was moved. */
const MOVED = "the fork was moved to another block meanwhile: send it again";

/** Fails the requests in flight, and holds those that arrive for the parts that serve next. */
export async function endRequests({
  lent,
  reverts,
  queryPool,
  fork,
  roles,
}: RequestedParts): Promise<void> {
  lent.takeBack();
  // A revert would restart the threads, which are about to stop.
  await reverts.chain.end(MOVED);
  await queryPool.hold();
  queryPool.stop(MOVED);
  fork.stop(MOVED);
  roles.services.close();
}

/**
 * Moves the fork of a node by a start of all of its parts on the moved chain; `null` on a chain that is no fork.
 * Requests that arrive meanwhile wait, those in flight fail, and WebSocket connections end.
 *
 * @param options - options that the node was started with
 */
export function forkMoveOf(
  options: NodeOptions,
  parts: ReplacedParts,
  host: Pick<NodeHost, "log">,
): ForkMove | null {
  const { fork, basePath } = options;
  if (fork === null) return null;
  const forked = { ...options, fork };
  return new ForkMove({
    stage: (block) => stageForkMove(forked, block, host),
    decide: () => decideForkMove(basePath),
    discard: () => deleteStaged(basePath),
    async replace() {
      await endRequests(parts);
      await parts.generation.replace(movedOptions(forked));
    },
  });
}
