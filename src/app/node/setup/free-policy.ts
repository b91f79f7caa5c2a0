import type { FreePolicy } from "#services/admission/index.ts";
import { isLocal } from "./local-host.ts";
import type { NodeOptions } from "./node-options.ts";

/**
 * Whether a node takes free transactions while nobody can pay: on a public address anyone could fill the
 * chain, so that whoever runs the node has to ask for it there.
 */
export function freePolicyOf({
  allowBootstrap,
  rpc,
  gateway,
}: Pick<NodeOptions, "allowBootstrap" | "rpc" | "gateway">): FreePolicy {
  const hosts = gateway === null ? [rpc.host] : [rpc.host, gateway.host];
  return allowBootstrap || hosts.every(isLocal) ? "untilToken" : "never";
}
