import type { NodeOptions } from "../setup/node-options.ts";
import type { ConnectDeps } from "./connect-l1.ts";
import type { L1Connection } from "./followed-l1.ts";

/**
 * Connects to L1 and queries the data for a start, before anything is written.
 *
 * @param disposables - closes the connection with the node
 * @returns `null` if the node does not follow L1
 * @throws {NodeError} when the endpoint is not on the L1 of the chain's core contract
 * @throws {ConfigError} when the oracle's key cannot be read
 */
export async function openL1(
  options: NodeOptions,
  deps: ConnectDeps,
  disposables: AsyncDisposableStack,
): Promise<L1Connection | null> {
  const { l1 } = options;
  if (l1 === null) return null;
  // Loaded lazily, because the L1 modules take a while: nodes without L1 start faster.
  const { connectL1 } = await import("./connect-l1.ts");
  return connectL1({ ...options, l1 }, deps, disposables);
}
