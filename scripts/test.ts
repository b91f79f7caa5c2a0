/**
 * Runs every check in order and sums up. Exits 0 only when all of them passed; the last line is
 * `N passed, N failed`, where a check that is not a test (format, types, lint, build) counts as one.
 *
 * Tests that need the shared fixtures are skipped in a clone without them and counted in one line. Where
 * the fixtures stand, a test left out is a failure, and what touches them is tried once more without.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { SHARED } from "#test/helpers/shared.ts";
import { ALONE, COMPILING } from "./test-lib/alone.ts";
import { fixtureFiles } from "./test-lib/fixture-files.ts";
import { LACKING, outcomeOf } from "./test-lib/outcome.ts";
import { ROOT, run } from "./test-lib/run.ts";
import { slowestFiles, timingsPath } from "./test-lib/timings.ts";

const HAS_FIXTURES = SHARED !== undefined;
const SLOWEST = 10;

const total = { passed: 0, failed: 0, leftOut: 0, lacking: 0 };
const timings: string[] = [];
/** What failed, with the check it belongs to; printed again at the end. */
const failures: string[] = [];

function secondsSince(startedMs: number): string {
  return ((performance.now() - startedMs) / 1000).toFixed(1);
}

/** A check that passes or fails as a whole. */
async function check(name: string, command: readonly string[]): Promise<boolean> {
  console.log(`\n== ${name}`);
  const startedMs = performance.now();
  const { code } = await run(command);
  const verdict = code === 0 ? "ok" : `FAILED (exit code ${code})`;
  console.log(`== ${name}: ${verdict} in ${secondsSince(startedMs)} s`);
  if (code === 0) total.passed++;
  else {
    total.failed++;
    failures.push(`${name}: exit code ${code}`);
  }
  return code === 0;
}

/** How a group of test files is run. */
interface Run {
  /** Files at a time; by default as many as the machine has processors. */
  readonly workers?: number;
  readonly environment?: Readonly<Record<string, string>>;
  /** Tests may be left out although the fixtures are there. */
  readonly mayLeaveOut?: boolean;
}

/** A group of test files; its tests are counted one by one. */
async function tests(name: string, args: readonly string[], options: Run = {}): Promise<void> {
  console.log(`\n== ${name}`);
  const startedMs = performance.now();
  const path = timingsPath(name.replaceAll(" ", "-"), args);
  timings.push(path);
  const { workers, environment, mayLeaveOut = !HAS_FIXTURES } = options;
  const parallel = workers === undefined ? "--parallel" : `--parallel=${workers}`;
  const how = ["--timeout", "60000", parallel];
  const order = [`--timings=${path}`, "--update-timings"];
  const ended = await run([bun, "test", ...how, ...order, ...args], environment);
  const { passed, failed, leftOut, lacking, failures: ofTests } = outcomeOf(ended);
  failures.push(...ofTests.map((failure) => `${name}:\n${failure}`));
  if (failed > ofTests.length) failures.push(`${name}: ended with code ${ended.code}`);
  total.passed += passed;
  total.failed += failed;
  total.lacking += lacking;
  if (!HAS_FIXTURES) total.leftOut += leftOut;
  if (!mayLeaveOut && leftOut > 0) {
    console.log(`== ${name}: ${leftOut} tests were skipped although the fixtures are there`);
    total.failed += leftOut;
    failures.push(`${name}: ${leftOut} tests were skipped although the fixtures are there`);
  }
  console.log(`== ${name}: ${passed} passed, ${failed} failed in ${secondsSince(startedMs)} s`);
}

/**
 * What touches the fixtures, as in a clone without them; random tests, which were run in full before, try
 * no more than `runs` times.
 */
async function withoutFixtures(
  name: string,
  folders: readonly string[],
  runs: number,
  options: Run = {},
): Promise<void> {
  if (!HAS_FIXTURES) return;
  const empty = mkdtempSync(join(tmpdir(), "appchain-no-fixtures-"));
  const environment = { FIXTURES: empty, FUZZ_RUNS: String(runs), FLOOD_MS: "500" };
  const files = fixtureFiles(ROOT, folders);
  await tests(`${name} without fixtures`, files, {
    ...options,
    environment,
    mayLeaveOut: true,
  });
  rmSync(empty, { recursive: true });
}

const bun = process.execPath;
const only = process.argv.slice(2);
const wants = (stage: string): boolean => only.length === 0 || only.includes(stage);
const startedMs = performance.now();

if (wants("static")) {
  await check("format", [bun, "fmt", "--check", "."]);
  await check("types", [bun, "check"]);
  await check("docs", [bun, "scripts/docs.ts", "--check"]);
  await check("lint", [join(ROOT, "node_modules/.bin/oxlint"), "--quiet"]);
}
if (wants("unit")) {
  const folders = ["test/unit", "test/rpc", "test/fuzz"];
  await tests("unit", folders);
  await withoutFixtures("unit", folders, 20);
}
if (wants("spec")) {
  await tests("spec", ["test/spec"]);
  await withoutFixtures("spec", ["test/spec"], 20);
}
if (wants("e2e")) {
  if (await check("compiled binary", [bun, "scripts/build.ts"])) {
    const apart = [...ALONE, ...COMPILING];
    const others = apart.flatMap((file) => ["--path-ignore-patterns", file]);
    // Half of them wait for clocks: one more than there are processors keeps all of these busy.
    const workers = availableParallelism() + 1;
    await tests("e2e", ["test/e2e", ...others], { workers });
    await tests("e2e compiling", COMPILING);
    await tests("e2e alone", ALONE, { workers: 1 });
    await withoutFixtures("e2e", ["test/e2e"], 200);
  }
}

console.log(`\nslowest files of ${secondsSince(startedMs)} s:`);
for (const { file, seconds } of slowestFiles(timings, SLOWEST)) {
  console.log(`${seconds.toFixed(1).padStart(8)} s  ${file}`);
}
if (total.leftOut > 0) {
  console.log(`\n${total.leftOut} tests left out: they need the fixtures in ../shared`);
}
if (total.lacking > 0) {
  console.log(`\n${total.lacking} tests left out: they need ${LACKING}, a library of the system`);
}
if (failures.length > 0) console.log(`\nfailed:\n\n${failures.join("\n\n")}`);
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);
