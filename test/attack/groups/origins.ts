import type { Attack } from "../attack.ts";
import { HOSTILE_ORIGIN } from "../hostile-origin.ts";

/** Origins that fail, or return wrong values, and the forks that read them. */
export const ORIGINS: readonly Attack[] = [HOSTILE_ORIGIN];
