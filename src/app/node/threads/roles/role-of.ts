import type { NodeOptions } from "../../setup/node-options.ts";
import { DEVNET } from "./devnet.ts";
import { FORKED_DEVNET } from "./forked-devnet.ts";
import { FULL_NODE } from "./full-node.ts";
import type { Role } from "./role.ts";
import { SEQUENCER } from "./sequencer.ts";

/** The role that a node is started in. */
export function roleOf({
  follow,
  devnet,
  fork,
}: Pick<NodeOptions, "follow" | "devnet" | "fork">): Role {
  if (follow !== null) return FULL_NODE;
  if (fork !== null) return FORKED_DEVNET;
  return devnet === null ? SEQUENCER : DEVNET;
}
