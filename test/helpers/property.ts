import fc from "fast-check";
import { BudgetedProperty } from "./budgeted-property.ts";
import { integerOfEnvironment } from "./environment.ts";
import { isFullSize } from "./test-size.ts";

/** Seed of every property unless the environment sets another one: runs are the same everywhere. */
const FIXED_SEED = 20_261_121;

/** Default number of cases, as in fast-check. */
const DEFAULT_RUNS = 100;

/** Time budget of a property after its minimum of cases, except in full runs. */
const BUDGET_MS = 150;

/** Default minimum of cases, on machines of any speed. */
const MIN_RUNS = 20;

/** Parameters of a property; tests cannot choose the seed. */
export interface PropertyOptions<T> extends Omit<fc.Parameters<T>, "seed"> {
  /**
   * Minimum cases of a quick run on machines of any speed, 20 by default: fewer for slow cases,
   * more if a test needs enough different ones.
   */
  readonly minRuns?: number;
}

/**
 * Checks a property like `fc.assert`, with a fixed seed that a failure prints. A quick run stops
 * after its time budget; a full run tries all cases.
 *
 * `FUZZ_SEED` sets another seed and `FUZZ_RUNS` another number of cases, for all properties and
 * without budget (`scripts/fuzz` varies them); `FUZZ_FACTOR` multiplies the number of each
 * property.
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
