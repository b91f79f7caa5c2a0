/**
 * Runs every check in order and prints a summary. Exits with 0 only when all of them passed; the last line is
 * `N passed, N failed`, where a check that is not a test (format, types, lint, build, an attack) counts as
 * one.
 *
 * Tests that need the shared fixtures are skipped in a clone without them and counted in one line. With the
 * fixtures, a skipped test is a failure, and tests that a change touches run once more without them.
 */
import { SHARED } from "#test/helpers/shared.ts";
import { parseTestArguments, USAGE } from "./test-lib/arguments.ts";
import { Checks } from "./test-lib/checks.ts";
import { gitOf } from "./test-lib/git.ts";
import { runChanged, runParts } from "./test-lib/modes.ts";
import { printReport } from "./test-lib/report.ts";
import { ROOT } from "./test-lib/run.ts";
import { Summary } from "./test-lib/summary.ts";

const asked = parseTestArguments(process.argv.slice(2));
if (asked === undefined) {
  process.stderr.write(`${USAGE}\n`);
  process.exit(2);
}
const startMs = performance.now();
const summary = new Summary();
const checks = new Checks({
  summary,
  hasFixtures: SHARED !== undefined,
  log: (line) => console.log(line),
});
const deps = {
  checks,
  summary,
  git: gitOf(),
  root: ROOT,
  log: (line: string) => console.log(line),
};
if (asked.kind === "changed") await runChanged(deps, asked.base);
else await runParts(deps, asked);
checks.end();
printReport(summary, checks.groups, performance.now() - startMs, deps.log);
process.exit(summary.failed === 0 ? 0 : 1);
