import fc from "fast-check";
import { integerOfEnvironment } from "./environment.ts";

/** Seed of every property where the environment names no other: runs are the same everywhere. */
const FIXED_SEED = 20_261_121;

/** What a property may be told; the seed is not for a test to choose. */
export type PropertyOptions<T> = Omit<fc.Parameters<T>, "seed">;

/**
 * Checks a property as `fc.assert` does, with a fixed seed that a failure prints. `FUZZ_SEED` takes
 * another one, `FUZZ_RUNS` another number of runs, for all properties: `scripts/fuzz` varies them.
 */
export function assertProperty<T>(
  property: fc.IAsyncProperty<T>,
  options?: PropertyOptions<T>,
): Promise<void>;
export function assertProperty<T>(property: fc.IProperty<T>, options?: PropertyOptions<T>): void;
export function assertProperty<T>(
  property: fc.IProperty<T> | fc.IAsyncProperty<T>,
  options: PropertyOptions<T> = {},
): Promise<void> | void {
  const runs = integerOfEnvironment("FUZZ_RUNS");
  return fc.assert(property as fc.IProperty<T>, {
    ...options,
    seed: integerOfEnvironment("FUZZ_SEED") ?? FIXED_SEED,
    ...(runs === undefined ? {} : { numRuns: runs }),
  });
}
