import { describe, expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { filesBelow, textOf } from "#test/helpers/deploy.ts";

const ROOT = join(import.meta.dir, "../../..");

interface Step {
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly run?: string;
}

interface Workflow {
  readonly permissions: unknown;
  readonly jobs: Readonly<
    Record<string, { readonly "timeout-minutes"?: number; readonly steps: readonly Step[] }>
  >;
}

const WORKFLOWS = filesBelow(".github/workflows");

test("CI is the only workflow", () => {
  expect(WORKFLOWS).toEqual([".github/workflows/ci.yml"]);
});

describe.each(WORKFLOWS)("%s", (path) => {
  const { permissions, jobs } = parse(textOf(path)) as Workflow;
  const steps = Object.values(jobs).flatMap((job) => job.steps);

  test("has read-only permissions", () => {
    expect(permissions).toEqual({ contents: "read" });
    expect(Object.values(jobs).filter((job) => "permissions" in job)).toEqual([]);
  });

  test("does not persist credentials", () => {
    const checkouts = steps.filter(({ uses }) => uses?.startsWith("actions/checkout@"));
    expect(checkouts).toHaveLength(Object.keys(jobs).length);
    for (const checkout of checkouts) {
      expect(checkout.with).toMatchObject({ "persist-credentials": false });
    }
  });

  test("pins every action to a commit with its version", () => {
    const used = textOf(path).match(/uses: .*/g) ?? [];
    expect(used).toHaveLength(steps.filter(({ uses }) => uses !== undefined).length);
    for (const line of used) expect(line).toMatch(/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+/);
  });

  test("has a timeout", () => {
    for (const job of Object.values(jobs)) expect(job["timeout-minutes"]).toBeWithin(1, 91);
  });

  test("runs only the two scripts that contributors run", () => {
    const commands = steps.flatMap(({ run }) => run ?? []);
    expect(commands).toEqual(["./scripts/test --ci", "./scripts/build"]);
    for (const command of commands) {
      const [script = ""] = command.split(" ");
      expect(statSync(join(ROOT, script)).mode & 0o111).toBe(0o111);
    }
  });
});
