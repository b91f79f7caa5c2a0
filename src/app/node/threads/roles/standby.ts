import { FULL_NODE } from "./full-node.ts";
import type { Role } from "./role.ts";

/** Follows the leading sequencer and replaces it when it fails; it is a `sequencer` then. */
export const STANDBY: Role = { ...FULL_NODE, name: "standby" };
