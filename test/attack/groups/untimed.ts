import type { Attack } from "../attack.ts";
import { CUT_FILES } from "../cut-files.ts";
import { HALF_FOLDER } from "../half-folder.ts";
import { L1_WRONG_ROOT } from "../l1-wrong-root.ts";
import { SNAPSHOT_FAULTS } from "../snapshot-faults.ts";

/** Attacks without bounds on waiting times: other tests may run in parallel. */
export const UNTIMED: readonly Attack[] = [SNAPSHOT_FAULTS, L1_WRONG_ROOT, HALF_FOLDER, CUT_FILES];
