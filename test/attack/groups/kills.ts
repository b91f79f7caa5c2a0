import type { Attack } from "../attack.ts";
import { BOOTSTRAP_KILLS } from "../bootstrap-kills.ts";
import { FAILOVER_KILLS } from "../failover-kills.ts";
import { GATE_KILLS } from "../gate-kills.ts";

/** Loops of kills: only full runs include them. */
export const KILL_ATTACKS: readonly Attack[] = [BOOTSTRAP_KILLS, GATE_KILLS, FAILOVER_KILLS];
