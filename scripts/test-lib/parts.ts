import { availableParallelism } from "node:os";
import { join } from "node:path";
import { ALONE, COMPILING } from "./alone.ts";
import type { Part } from "./arguments.ts";
import type { Checks } from "./checks.ts";
import { ROOT } from "./run.ts";

const bun = process.execPath;

/** Tests that run within a process, without the compiled program. */
export const UNIT_FOLDERS: readonly string[] = ["test/unit", "test/rpc", "test/fuzz"];

/** Folder of the end-to-end tests. */
export const END_TO_END = "test/e2e";

/** Checks of each part. */
export const RUN_PART: Readonly<Record<Part, (checks: Checks) => Promise<void>>> = {
  async static(checks) {
    await checks.command("format", [bun, "fmt", "--check", "."]);
    await checks.command("types", [bun, "check"]);
    await checks.command("docs", [bun, "scripts/docs.ts", "--check"]);
    await checks.command("lint", [join(ROOT, "node_modules/.bin/oxlint"), "--quiet"]);
  },
  unit: (checks) => checks.tests("unit", UNIT_FOLDERS),
  spec: (checks) => checks.tests("spec", ["test/spec"]),
  async e2e(checks) {
    if (!(await buildProgram(checks))) return;
    const apart = [...ALONE, ...COMPILING];
    const others = apart.flatMap((file) => ["--path-ignore-patterns", file]);
    // Half of them wait for clocks: one more than there are processors keeps all of these busy.
    const workers = availableParallelism() + 1;
    await checks.tests("e2e", [END_TO_END, ...others], { workers });
    await checks.tests("e2e compiling", COMPILING);
    await checks.tests("e2e alone", ALONE, { workers: 1 });
  },
};

/** Builds `dist/appchain`, which end-to-end tests run. @returns whether that worked */
export function buildProgram(checks: Checks): Promise<boolean> {
  return checks.command("compiled binary", [bun, "scripts/build.ts"]);
}
