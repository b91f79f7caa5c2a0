import type { FleetAttack } from "../failover-fleet.ts";
import { FAILOVER_PAUSES } from "../failover-pauses.ts";
import { FAILOVER } from "../failover.ts";

/** Attacks on a leader and its standby; in small they share one fleet. */
export const FAILOVERS: readonly FleetAttack[] = [FAILOVER, FAILOVER_PAUSES];
