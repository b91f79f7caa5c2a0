import { takeEphemeralFolder } from "./ephemeral-folder.ts";
import { startNode as startInFolder } from "./node.ts";
import type { NodeOptions, StartedNode } from "./node-options.ts";

/**
 * Starts a node; an ephemeral one in a temporary folder that goes with it.
 *
 * @throws {AppError} when a part cannot start; nothing of a new chain is left behind
 */
export async function startNode(options: NodeOptions): Promise<StartedNode> {
  if (!options.ephemeral) return startInFolder(options);
  const folder = takeEphemeralFolder(options.basePath);
  try {
    const { closed } = await startInFolder({ ...options, basePath: folder.path });
    return { closed: closed.finally(() => folder.remove()) };
  } catch (error) {
    folder.remove();
    throw error;
  }
}
