import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import type { CheckRunner } from "../../../scripts/test-lib/checks.ts";
import {
  ContinuedChecks,
  discardProgress,
  EXHAUSTIVE,
} from "../../../scripts/test-lib/exhaustive/continued-checks.ts";
import { Summary } from "../../../scripts/test-lib/summary.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

/** A full run in a folder; the checks named in `failing` fail, all others pass. */
function runOf(root: string, program: string, failing: readonly string[] = []) {
  const ran: string[] = [];
  const summary = new Summary();
  const checks: CheckRunner = {
    hasFixtures: true,
    begin: () => undefined,
    command: async (name) => {
      ran.push(name);
      return !failing.includes(name);
    },
    tests: async (name) => {
      ran.push(name);
      return { passed: 7, failed: failing.includes(name) ? 1 : 0 };
    },
  };
  const deps = { checks, summary, root, program, log: () => undefined };
  return { checks: new ContinuedChecks(deps), ran, summary };
}

async function runAll(checks: ContinuedChecks): Promise<readonly boolean[]> {
  checks.begin("static");
  const lint = await checks.command("lint", []);
  const unit = await checks.tests("unit", ["test/unit"]);
  checks.begin(EXHAUSTIVE);
  const attack = await checks.command("attack failover", []);
  const spec = await checks.tests("spec", ["test/spec"]);
  return [lint, unit.failed === 0, attack, spec.failed === 0];
}

describe("a full run after an unsuccessful one", () => {
  test("runs failed checks and counts those that passed", async () => {
    using folder = temporaryFolder();
    await runAll(runOf(folder.path, "program", ["unit"]).checks);
    const { checks, ran, summary } = runOf(folder.path, "program");
    expect(await runAll(checks)).toEqual([true, true, true, true]);
    expect(ran).toEqual(["lint", "unit"]);
    expect(summary.passed).toBe(1 + 7);
  });

  test("runs everything if the program has changed", async () => {
    using folder = temporaryFolder();
    await runAll(runOf(folder.path, "program").checks);
    const { checks, ran } = runOf(folder.path, "another");
    await runAll(checks);
    expect(ran).toEqual(["lint", "unit", "attack failover", "spec"]);
  });

  test("reruns a failed attack", async () => {
    using folder = temporaryFolder();
    const failing = runOf(folder.path, "program", ["attack failover"]);
    expect(await runAll(failing.checks)).toEqual([true, true, false, true]);
    const { checks, ran } = runOf(folder.path, "program");
    await runAll(checks);
    expect(ran).toEqual(["lint", "attack failover"]);
  });

  test("runs everything once the earlier run is recorded", async () => {
    using folder = temporaryFolder();
    await runAll(runOf(folder.path, "program").checks);
    discardProgress(folder.path);
    const { checks, ran } = runOf(folder.path, "program");
    await runAll(checks);
    expect(ran).toEqual(["lint", "unit", "attack failover", "spec"]);
  });

  test("runs everything if the progress file is truncated", async () => {
    using folder = temporaryFolder();
    mkdirSync(folder.file("build"));
    writeFileSync(
      folder.file("build/full-run-progress.json"),
      '{"program":"program","passed":{"un',
    );
    const { checks, ran } = runOf(folder.path, "program");
    await runAll(checks);
    expect(ran).toHaveLength(4);
  });
});
