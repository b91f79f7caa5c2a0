import type { Attack } from "../attack.ts";
import { FORGETFUL_STORE } from "../forgetful-store.ts";
import { HUNG_DISK } from "../hung-disk.ts";
import { REFUSED_BLOCKS } from "../refused-blocks.ts";

/** Disks and stores that keep a leader from publishing blocks. */
export const FENCES: readonly Attack[] = [HUNG_DISK, REFUSED_BLOCKS, FORGETFUL_STORE];
