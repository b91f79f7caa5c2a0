import type { Attack } from "../attack.ts";
import { CAIRO0_CLASSES } from "../cairo0-classes.ts";
import { EARLY_ANSWERS } from "../early-answers.ts";
import { LARGE_TRACES } from "../large-traces.ts";
import { SLOW_UPLOADS } from "../slow-uploads.ts";

/** Large, slow or early answered requests; in small they run in parallel with other tests. */
export const LARGE: readonly Attack[] = [EARLY_ANSWERS, SLOW_UPLOADS, CAIRO0_CLASSES, LARGE_TRACES];
