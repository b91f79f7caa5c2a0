import { cacheEntry } from "./cache-entry.ts";

/**
 * Returns the result of `compile` for the same inputs from an earlier run, as far as JSON preserves
 * it. A run at full size always compiles, and failures are not cached.
 *
 * @param inputs - everything that determines the result: sources, settings, the compiler's source
 * and version
 */
export async function compiledOnce<T extends { readonly kind: string }>(
  inputs: readonly string[],
  compile: () => T | Promise<T>,
): Promise<T> {
  const entry = cacheEntry<T>(inputs);
  const known = entry.read();
  if (known !== undefined) return known;
  const result = await compile();
  if (result.kind === "compiled") entry.write(result);
  return result;
}
