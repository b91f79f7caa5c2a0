import type { NodeHost } from "../setup/node-host.ts";
import type { NodeOptions } from "../setup/node-options.ts";
import { decideForkMove, deleteStaged, stageForkMove } from "../storage/folder/fork-move.ts";
import { ForkMove } from "./fork-move.ts";
import type { Renew } from "./renewal-of.ts";

/** Failure of requests that were in flight when the fork was moved. */
const MOVED = "the fork was moved to another block meanwhile: send it again";

/**
 * Moves the fork of a node by a start of all of its parts on the moved chain; `null` on a chain that is no fork.
 *
 * @param options - options that the node was started with
 */
export function forkMoveOf(
  options: NodeOptions,
  renew: Renew,
  host: Pick<NodeHost, "log">,
): ForkMove | null {
  const { fork, basePath } = options;
  if (fork === null) return null;
  return new ForkMove({
    stage: (block) => stageForkMove({ ...options, fork }, block, host),
    decide: () => decideForkMove(basePath),
    discard: () => deleteStaged(basePath),
    replace: () => renew(MOVED),
  });
}
