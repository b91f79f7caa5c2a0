import { FULL_NODE } from "./full-node.ts";
import type { Role } from "./role.ts";

/** Follows the sequencer whose place it takes when that one falls silent: it is a `sequencer` then. */
export const STANDBY: Role = { ...FULL_NODE, name: "standby" };
