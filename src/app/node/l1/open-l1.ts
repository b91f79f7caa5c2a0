import type { NodeOptions } from "../setup/node-options.ts";
import type { ConnectDeps } from "./connect-l1.ts";
import type { L1Connection } from "./l1-connection.ts";

/**
 * Reaches L1 and asks it what a start has to know; nothing is written before.
 *
 * @param disposables - gets what ends it
 * @returns `null`: the node does not follow L1
 * @throws {NodeError} when L1 is another one than that of the chain's core contract
 * @throws {ConfigError} when the oracle's key cannot be read
 */
export async function openL1(
  options: NodeOptions,
  deps: ConnectDeps,
  disposables: AsyncDisposableStack,
): Promise<L1Connection | null> {
  const { l1 } = options;
  if (l1 === null) return null;
  // What reads L1 takes a while to load: other nodes start without it.
  const { connectL1 } = await import("./connect-l1.ts");
  return connectL1({ ...options, l1 }, deps, disposables);
}
