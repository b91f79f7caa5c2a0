import { test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** Where the fixtures are looked for; `FIXTURES` names another folder. */
const FIXTURES = resolve(
  process.env["FIXTURES"] ?? join(import.meta.dir, "../../../shared/fixtures"),
);

/** A part of the fixtures that is there or not as a whole: a folder, or a file of its own. */
export type FixtureSet = (typeof FIXTURE_SETS)[number];

/** All of them. Those that `scripts/fixtures` fetches may be there without the others. */
export const FIXTURE_SETS = [
  "casm-golden",
  "classes/blockifier",
  "classes/cairo-compiled-class-hashes",
  "classes/cairo-compiler",
  "classes/pathfinder-gateway",
  "classes/pathfinder-rpc",
  "classes/starknet-devnet",
  "classes/starknet-js",
  "classes/starknet-rs",
  "gateway-blocks",
  "hashes",
  "oracle",
  "patricia",
  "rpc-execution",
  "rpc-spec",
  "sierra-to-casm/e2e.json",
  "sierra-to-casm/test_data",
  "versioned-constants",
] as const;

/** Whether a part of the fixtures is there. */
export function hasFixtures(set: FixtureSet): boolean {
  return existsSync(join(FIXTURES, set));
}

/**
 * Absolute path of the folder that the fixtures lie in, or `undefined` where one of their parts is missing:
 * in a clone without them, and where there is only what `scripts/fixtures` fetches.
 */
export const SHARED: string | undefined = FIXTURE_SETS.every(hasFixtures)
  ? dirname(FIXTURES)
  : undefined;

/** Absolute path of a fixture file, whether it is there or not. */
export function fixturePath(...parts: readonly string[]): string {
  return join(FIXTURES, ...parts);
}

/** A fixture file parsed as JSON. Integers above 2^53 lose precision: read those as text. */
export function readFixtureJson(...parts: readonly string[]): unknown {
  return JSON.parse(readFileSync(fixturePath(...parts), "utf8")) as unknown;
}

/** Registers a test that needs fixtures, with the time that it may take. */
export type FixtureTest = (
  name: string,
  fn: () => void | Promise<void>,
  timeoutMs?: number,
) => void;

/**
 * Tests that need these parts of the fixtures and no other. Without them they are registered as skipped
 * under names starting with `[fixtures]`, which `scripts/test` counts.
 */
export function fixtureTest(...sets: readonly FixtureSet[]): FixtureTest {
  const isThere = sets.every(hasFixtures);
  return (name, fn, timeoutMs = 60_000) => {
    if (isThere) test(name, fn, timeoutMs);
    else test.skip(`[fixtures] ${name}`, fn);
  };
}

/** A test of {@link fixtureTest} that may need every part of the fixtures. */
export const sharedTest: FixtureTest = fixtureTest(...FIXTURE_SETS);
