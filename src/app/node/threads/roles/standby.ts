import { FULL_NODE } from "./full-node.ts";
import type { Role } from "./role.ts";

/**
 * {@link Role} of a standby: follows the leading sequencer and replaces it when it fails; it has
 * the role `sequencer` then.
 */
export const STANDBY: Role = { ...FULL_NODE, name: "standby" };
