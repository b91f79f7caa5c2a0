import { test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const candidate = resolve(import.meta.dir, "../../../shared");

/** Absolute path of the folder with the shared fixtures, or `undefined` in a clone without it. */
export const SHARED: string | undefined = existsSync(join(candidate, "fixtures"))
  ? candidate
  : undefined;

/** Absolute path of a fixture file; only meaningful where {@link SHARED} is defined. */
export function fixturePath(...parts: readonly string[]): string {
  return join(candidate, "fixtures", ...parts);
}

/** A fixture file parsed as JSON. Integers above 2^53 lose precision: read those as text. */
export function readFixtureJson(...parts: readonly string[]): unknown {
  return JSON.parse(readFileSync(fixturePath(...parts), "utf8")) as unknown;
}

/**
 * A test that needs the shared fixtures. In a clone without them it is registered as skipped under
 * a name starting with `[fixtures]`, which `scripts/test` counts.
 */
export function sharedTest(name: string, fn: () => void | Promise<void>, timeoutMs = 60_000): void {
  if (SHARED === undefined) test.skip(`[fixtures] ${name}`, fn);
  else test(name, fn, timeoutMs);
}
