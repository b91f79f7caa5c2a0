import type { NodeOptions } from "../../setup/node-options.ts";
import { DEVNET } from "./devnet.ts";
import { FULL_NODE } from "./full-node.ts";
import type { Role } from "./role.ts";
import { SEQUENCER } from "./sequencer.ts";

/** The role that a node is started in. */
export function roleOf({ follow, devnet }: Pick<NodeOptions, "follow" | "devnet">): Role {
  if (follow !== null) return FULL_NODE;
  return devnet === null ? SEQUENCER : DEVNET;
}
