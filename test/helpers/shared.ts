import { test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** Where the fixtures are looked for; `FIXTURES` names another folder. */
const FIXTURES = resolve(
  process.env["FIXTURES"] ?? join(import.meta.dir, "../../../shared/fixtures"),
);

/**
 * Absolute path of the folder that the fixtures lie in, or `undefined` in a clone without them: their
 * folder is missing or empty.
 */
export const SHARED: string | undefined =
  existsSync(FIXTURES) && readdirSync(FIXTURES).length > 0 ? dirname(FIXTURES) : undefined;

/** Absolute path of a fixture file; only meaningful where {@link SHARED} is defined. */
export function fixturePath(...parts: readonly string[]): string {
  return join(FIXTURES, ...parts);
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
