import { test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** Folder of the fixtures; `FIXTURES` sets another one. */
const FIXTURES = resolve(
  process.env["FIXTURES"] ?? join(import.meta.dir, "../../../shared/fixtures"),
);

/** A part of the fixtures that exists as a whole or not at all: a folder or a file. */
export type FixtureSet = (typeof FIXTURE_SETS)[number];

/**
 * Names of all parts of the fixtures. Those that `scripts/fixtures` fetches may exist without the
 * others.
 */
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

/** Whether a part of the fixtures exists. */
export function hasFixtures(set: FixtureSet): boolean {
  return existsSync(join(FIXTURES, set));
}

/**
 * Absolute path of the parent folder of the fixtures; `undefined` if a part is missing: in a clone
 * without them, or with only those that `scripts/fixtures` fetches.
 */
export const SHARED: string | undefined = FIXTURE_SETS.every(hasFixtures)
  ? dirname(FIXTURES)
  : undefined;

/** Absolute path of a fixture file, which may be missing. */
export function fixturePath(...parts: readonly string[]): string {
  return join(FIXTURES, ...parts);
}

/** A fixture file parsed as JSON. Integers above 2^53 lose precision: read those as text. */
export function readFixtureJson(...parts: readonly string[]): unknown {
  return JSON.parse(readFileSync(fixturePath(...parts), "utf8")) as unknown;
}

/** Function that defines a test which requires fixtures, with its timeout. */
export type FixtureTest = (
  name: string,
  fn: () => void | Promise<void>,
  timeoutMs?: number,
) => void;

/**
 * Defines tests that require only these parts of the fixtures. Without them they are skipped under
 * names starting with `[fixtures]`, which `scripts/test` counts.
 */
export function fixtureTest(...sets: readonly FixtureSet[]): FixtureTest {
  const isAvailable = sets.every(hasFixtures);
  return (name, fn, timeoutMs = 60_000) => {
    if (isAvailable) test(name, fn, timeoutMs);
    else test.skip(`[fixtures] ${name}`, fn);
  };
}

/** A test of {@link fixtureTest} that may use every part of the fixtures. */
export const sharedTest: FixtureTest = fixtureTest(...FIXTURE_SETS);
