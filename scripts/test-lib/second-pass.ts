import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CheckRunner, GroupOptions } from "./checks.ts";

/** Maximum of cases of random tests, which have already run with the fixtures. */
const PROPERTY_RUNS = 20;

/**
 * Runs test files as in a clone without the fixtures. Skipped tests are no failure. Does nothing if the
 * fixtures are missing.
 */
export async function runWithoutFixtures(
  checks: CheckRunner,
  name: string,
  files: readonly string[],
  options: GroupOptions = {},
): Promise<void> {
  if (!checks.hasFixtures) return;
  const empty = mkdtempSync(join(tmpdir(), "appchain-no-fixtures-"));
  try {
    await checks.tests(`${name} without fixtures`, files, {
      ...options,
      environment: { FIXTURES: empty, FUZZ_RUNS: String(PROPERTY_RUNS), FLOOD_MS: "500" },
      mayLeaveOut: true,
    });
  } finally {
    rmSync(empty, { recursive: true });
  }
}
