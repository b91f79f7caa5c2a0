import { availableParallelism } from "node:os";
import { join } from "node:path";
import { ALONE, ATTACKING, COMPILING } from "./alone.ts";
import type { Part } from "./arguments.ts";
import type { CheckRunner, GroupOptions } from "./checks.ts";
import { ROOT } from "./run.ts";

const bun = process.execPath;

/** Tests that run within a process, without the compiled program. */
export const UNIT_FOLDERS: readonly string[] = ["test/unit", "test/rpc", "test/fuzz"];

/** Folder of the end-to-end tests. */
export const END_TO_END = "test/e2e";

/** Environment of tests at full size. */
export const FULL_SIZE: Readonly<Record<string, string>> = { TEST_SIZE: "full" };

/** Longest time of a test that names none, at quick size and at full size. */
const TIMEOUT_MS = { quick: 60_000, full: 600_000 } as const;

/** Amounts of the tests of a run. */
export type TestSize = "quick" | "full";

/** CheckRunner of each part. */
export const RUN_PART: Readonly<
  Record<Part, (checks: CheckRunner, size: TestSize) => Promise<void>>
> = {
  async static(checks) {
    await checks.command("format", [bun, "fmt", "--check", "."]);
    await checks.command("types", [bun, "check"]);
    await checks.command("docs", [bun, "scripts/docs.ts", "--check"]);
    await checks.command("lint", [join(ROOT, "node_modules/.bin/oxlint"), "--quiet"]);
  },
  unit: (checks, size) => checks.tests("unit", UNIT_FOLDERS, optionsOf(size)),
  spec: (checks, size) => checks.tests("spec", ["test/spec"], optionsOf(size)),
  async e2e(checks, size) {
    if (!(await buildProgram(checks))) return;
    const options = optionsOf(size);
    // A full run attacks at full size instead.
    const alone = ALONE.filter((file) => size === "quick" || !ATTACKING.includes(file));
    const apart = [...ALONE, ...COMPILING, ...(size === "full" ? ATTACKING : [])];
    const others = apart.flatMap((file) => ["--path-ignore-patterns", file]);
    // Half of them wait for clocks: one more than there are processors keeps all of these busy.
    const workers = availableParallelism() + 1;
    await checks.tests("e2e", [END_TO_END, ...others], { ...options, workers });
    await checks.tests("e2e compiling", COMPILING, options);
    await checks.tests("e2e alone", alone, { ...options, workers: 1 });
  },
};

function optionsOf(size: TestSize): GroupOptions {
  return { environment: size === "full" ? FULL_SIZE : {}, timeoutMs: TIMEOUT_MS[size] };
}

/** Builds `dist/appchain`, which end-to-end tests run. @returns whether that worked */
export function buildProgram(checks: CheckRunner): Promise<boolean> {
  return checks.command("compiled binary", [bun, "scripts/build.ts"]);
}
