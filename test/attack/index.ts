import type { Attack } from "./attack.ts";
import { FAILOVERS } from "./groups/failovers.ts";
import { FENCES } from "./groups/fences.ts";
import { GATEWAYS } from "./groups/gateways.ts";
import { KEEPING } from "./groups/keeping.ts";
import { KILL_ATTACKS } from "./groups/kills.ts";
import { LARGE } from "./groups/large.ts";
import { ORIGINS } from "./groups/origins.ts";
import { REQUESTS } from "./groups/requests.ts";
import { UNTIMED } from "./groups/untimed.ts";
import { WORK } from "./groups/work.ts";
import { STORE_OUTAGES } from "./store-outages.ts";

/** Attacks that mostly wait: for timeouts, blocks, and starting processes. */
export const WAITING: readonly Attack[] = [
  ...KILL_ATTACKS,
  ...UNTIMED,
  STORE_OUTAGES,
  ...FAILOVERS,
  ...GATEWAYS,
  ...ORIGINS,
  ...FENCES,
];

/** All attacks in the order of execution. */
export const ATTACKS: readonly Attack[] = [...REQUESTS, ...WORK, ...LARGE, ...KEEPING, ...WAITING];
