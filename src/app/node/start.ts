import { takeEphemeralFolder } from "./folder/ephemeral-folder.ts";
import { startNode as startInFolder } from "./node.ts";
import type { NodeOptions, StartedNode } from "./setup/node-options.ts";

/**
 * Starts a node; an ephemeral one in a temporary folder that is deleted with it.
 *
 * @throws {AppError} when a part cannot start; nothing of a new chain is left behind
 */
export function startNode(options: NodeOptions): Promise<StartedNode> {
  const start = (nodeOptions: NodeOptions): Promise<StartedNode> =>
    startInFolder(nodeOptions, { exit: (code) => process.exit(code) });
  return options.ephemeral ? startEphemeral(options, start) : start(options);
}

/**
 * Starts a node in a temporary folder, which is deleted when the node has stopped or failed to start.
 *
 * @throws {AppError} as `start`, and when the folder cannot be created
 */
export async function startEphemeral(
  options: NodeOptions,
  start: (options: NodeOptions) => Promise<StartedNode>,
): Promise<StartedNode> {
  const folder = takeEphemeralFolder(options.basePath);
  try {
    const { closed } = await start({ ...options, basePath: folder.path });
    return { closed: closed.finally(() => folder.remove()) };
  } catch (error) {
    folder.remove();
    throw error;
  }
}
