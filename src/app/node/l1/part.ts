/**
 * L1: the chain that this one settles on.
 *
 * - Options: `l1`, `gasPrices`.
 * - Threads: none; polls run on the main thread.
 * - Needs: the options alone. {@link L1Connection.follow} later gets the role's ports.
 * - Offers: {@link L1Connection}: start prices, messages from L1, and following for a role.
 * - Metrics: `l1` gauges, refreshed at each scrape.
 * - Ready: after the first answers of L1, or a finding that says why none came.
 * - Stops: in-flight requests are aborted, counted log lines are flushed.
 */
import type { NodeHost } from "../setup/node-host.ts";
import type { NodeOptions } from "../setup/node-options.ts";
import { type L1Connection, NO_L1 } from "./l1-connection.ts";
import { L1Report } from "./reports/l1-report.ts";

/**
 * Connects to L1 and asks for what a start needs; nothing is written before.
 *
 * @returns {@link NO_L1} when the node does not follow L1
 * @throws {NodeError} when the endpoint belongs to another L1 chain than the core contract
 * @throws {ConfigError} when the oracle's key cannot be read
 */
export async function openL1(options: NodeOptions, host: NodeHost): Promise<L1Connection> {
  const { l1 } = options;
  if (l1 === null) return NO_L1;
  // The L1 client takes long to load: other nodes start without it.
  const { connectL1 } = await import("./connect-l1.ts");
  const { log, metrics, timer, disposables } = host;
  const report = new L1Report({ log, metrics, timer });
  return connectL1({ ...options, l1 }, { report, log, timer }, disposables);
}
