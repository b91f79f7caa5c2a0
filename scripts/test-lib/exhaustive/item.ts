import type { Checks } from "../checks.ts";
import type { Weighted } from "./slices.ts";

/** A check that takes too long for each run. */
export interface ExhaustiveItem extends Weighted {
  run(checks: Checks): Promise<void>;
}
