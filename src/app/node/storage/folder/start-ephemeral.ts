import type { NodeOptions, StartedNode } from "../../setup/node-options.ts";
import { takeEphemeralFolder } from "./ephemeral-folder.ts";

/**
 * Starts a node in a temporary folder. The folder is deleted once the node has stopped, or has failed to start.
 *
 * @throws {AppError} as `start`, and when no temporary folder can be created
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
