import { isLocal } from "../../setup/local-host.ts";
import type { NodeOptions } from "../../setup/node-options.ts";

/**
 * Returns warnings about dangerous options, one line each.
 *
 * @param accountCount - funded accounts of the chain whose keys everyone can compute
 */
export function dangersOf(
  { rpc, gateway, chargeFee, role }: Pick<NodeOptions, "rpc" | "gateway" | "chargeFee" | "role">,
  accountCount: number,
): readonly string[] {
  const dangers: string[] = [];
  const servers = { "JSON-RPC": rpc.host, "the gateway": gateway?.host ?? "localhost" };
  for (const [server, host] of Object.entries(servers)) {
    if (accountCount === 0 || isLocal(host)) continue;
    dangers.push(
      `${server} listens beyond this machine (${host}) and the keys of the chain's funded accounts (${accountCount}) are known to everyone: anyone who reaches it can spend their funds`,
    );
  }
  if (!chargeFee && role === "sequencer") {
    dangers.push(
      "fees are off (--no-charge-fee): transactions cost nothing, so that anyone who reaches the node can fill its blocks",
    );
  }
  return dangers;
}
