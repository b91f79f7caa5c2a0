import type { FreePolicy } from "#services/admission/index.ts";
import { isLocal } from "./local-host.ts";
import type { NodeOptions } from "./node-options.ts";

/**
 * Decides whether a node accepts free transactions while fees cannot be paid. On a public address anyone
 * could fill the chain, so the operator has to enable it explicitly. A fork continues a network with a token.
 */
export function freePolicyOf({
  allowBootstrap,
  rpc,
  gateway,
  fork,
}: Pick<NodeOptions, "allowBootstrap" | "rpc" | "gateway" | "fork">): FreePolicy {
  if (fork !== null) return "never";
  const hosts = gateway === null ? [rpc.host] : [rpc.host, gateway.host];
  return allowBootstrap || hosts.every(isLocal) ? "untilToken" : "never";
}
