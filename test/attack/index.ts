import type { Attack } from "./attack.ts";
import { QUERY_FLOOD } from "./query-flood.ts";

/** All attacks, in the order in which they run. */
export const ATTACKS: readonly Attack[] = [QUERY_FLOOD];
