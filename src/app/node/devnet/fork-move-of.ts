import type { LentEndpoints } from "../query/part.ts";
import type { WorkerQueryPool } from "../query/query-pool.ts";
import type { NodeHost } from "../setup/node-host.ts";
import type { NodeOptions } from "../setup/node-options.ts";
import type { Generation } from "../setup/renewal.ts";
import {
  decideForkMove,
  deleteStaged,
  movedOptions,
  stageForkMove,
} from "../storage/folder/fork-move.ts";
import { ForkMove } from "./fork-move.ts";

/** Running parts that a moved fork replaces. */
export interface ReplacedParts {
  readonly lent: Pick<LentEndpoints, "takeBack">;
  readonly queryPool: Pick<WorkerQueryPool, "hold">;
  readonly generation: Pick<Generation<unknown>, "replace">;
}

/**
 * Moves the fork of a node by a start of all of its parts on the moved chain; `null` on a chain that is no fork.
 * Requests wait meanwhile, and WebSocket connections end.
 *
 * @param options - options that the node was started with
 */
export function forkMoveOf(
  options: NodeOptions,
  { lent, queryPool, generation }: ReplacedParts,
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
      lent.takeBack();
      await queryPool.hold();
      await generation.replace(movedOptions(forked));
    },
  });
}
