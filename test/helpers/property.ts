import fc from "fast-check";
import { BudgetedProperty } from "./budgeted-property.ts";
import { integerOfEnvironment } from "./environment.ts";
import { isFullSize } from "./test-size.ts";

/** Seed of every property where the environment names no other: runs are the same everywhere. */
const FIXED_SEED = 20_261_121;

/** Number of cases of a property that names none, as fast-check has it. */
const DEFAULT_RUNS = 100;

/** Time budget of a property whose minimum of cases is done, unless a run is at full size. */
const BUDGET_MS = 300;

/** Cases of a property that names no minimum, tried however slow the machine is. */
const MIN_RUNS = 20;

/** Parameters of a property; the seed is not for a test to choose. */
export interface PropertyOptions<T> extends Omit<fc.Parameters<T>, "seed"> {
  /**
   * Cases of a quick run however slow the machine is, 20 by default: fewer where a case takes long, more where
   * a test needs to have seen enough of them.
   */
  readonly minRuns?: number;
}

/**
 * Checks a property as `fc.assert` does, with a fixed seed that a failure prints. A quick run stops trying
 * cases when its time budget is spent; a full run tries all of them.
 *
 * `FUZZ_SEED` takes another seed and `FUZZ_RUNS` another number of cases, for all properties and without
 * budget (`scripts/fuzz` varies them); `FUZZ_FACTOR` multiplies the number of each property.
 */
export function assertProperty<T>(
  property: fc.IAsyncProperty<T>,
  options?: PropertyOptions<T>,
): Promise<void>;
export function assertProperty<T>(property: fc.IProperty<T>, options?: PropertyOptions<T>): void;
export function assertProperty<T>(
  property: fc.IProperty<T> | fc.IAsyncProperty<T>,
  { minRuns = MIN_RUNS, ...options }: PropertyOptions<T> = {},
): Promise<void> | void {
  const seed = integerOfEnvironment("FUZZ_SEED");
  const runs = integerOfEnvironment("FUZZ_RUNS");
  const factor = integerOfEnvironment("FUZZ_FACTOR") ?? 1;
  const isLimited = !isFullSize && seed === undefined && runs === undefined;
  const limited = isLimited ? new BudgetedProperty(property, BUDGET_MS, minRuns) : property;
  return fc.assert(limited as fc.IProperty<T>, {
    ...options,
    seed: seed ?? FIXED_SEED,
    numRuns: runs ?? factor * (options.numRuns ?? DEFAULT_RUNS),
  });
}
