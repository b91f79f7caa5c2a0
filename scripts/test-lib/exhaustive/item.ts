import type { CheckRunner } from "../checks.ts";
import type { Weighted } from "./slices.ts";

/** A check that takes too long for each run. */
export interface ExhaustiveItem extends Weighted {
  /** Whether it only repeats tests of the parts at full size, which a full run does anyway. */
  readonly isSized: boolean;
  /** Whether it is idle most of its time: others may run in parallel. */
  readonly isWaiting: boolean;
  run(checks: CheckRunner): Promise<void>;
}
