import type { Attack } from "./attack.ts";
import { CAIRO0_CLASSES } from "./cairo0-classes.ts";
import { LARGE_TRACES } from "./large-traces.ts";
import { QUERY_FLOOD } from "./query-flood.ts";

/** All attacks, in the order in which they run. */
export const ATTACKS: readonly Attack[] = [QUERY_FLOOD, CAIRO0_CLASSES, LARGE_TRACES];
