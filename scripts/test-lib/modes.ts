import { basename } from "node:path";
import type { TestArguments } from "./arguments.ts";
import { changedTests } from "./changed-tests.ts";
import type { CheckRunner } from "./checks.ts";
import { smallAttacksOf } from "./e2e-files.ts";
import { ContinuedChecks, discardProgress, EXHAUSTIVE } from "./exhaustive/continued-checks.ts";
import type { ExhaustiveItem } from "./exhaustive/item.ts";
import {
  FULL_RUN_FILE,
  readFullRun,
  reasonForFullRun,
  writeFullRun,
} from "./exhaustive/full-run.ts";
import { runItems } from "./exhaustive/run-items.ts";
import { divide, SLICES, sliceOf } from "./exhaustive/slices.ts";
import { changedFixtureFiles } from "./fixture-files.ts";
import type { Git } from "./git.ts";
import { buildProgram, inProcess, RUN_PART } from "./parts.ts";
import { runWithoutFixtures } from "./second-pass.ts";
import type { Summary } from "./summary.ts";
import { TEST_FOLDERS } from "./test-folders.ts";

/** Dependencies of a run. */
export interface RunDeps {
  readonly checks: CheckRunner;
  readonly summary: Summary;
  readonly git: Git;
  /** The repository. */
  readonly root: string;
  readonly log: (line: string) => void;
}

/**
 * Runs parts, then in the modes `full` and `ci` the exhaustive checks that are due. A run with all of them
 * has its parts at full size.
 */
export async function runParts(
  given: RunDeps,
  { parts, mode }: TestArguments & { readonly kind: "parts" },
): Promise<void> {
  const deps = mode === "full" ? continued(given) : given;
  const { checks, git, root, log } = deps;
  const last = readFullRun(root);
  const reason = mode === "ci" && last !== undefined ? reasonForFullRun(last, git) : undefined;
  if (mode === "ci" && last === undefined)
    log(`no full run is recorded: ${FULL_RUN_FILE} is missing or wrong`);
  const isFull = mode === "full" || reason !== undefined;
  if (reason !== undefined) log(`a full run is due: ${reason}`);
  const smallAttacks = isFull ? [] : smallAttacksOf(git.head());
  for (const part of parts) {
    checks.begin(part);
    if (part === "e2e" && !isFull) log(`\nsmall attacks of this commit: ${names(smallAttacks)}`);
    await RUN_PART[part](checks, { size: isFull ? "full" : "quick", smallAttacks });
    if (part !== "static" && !isFull) await secondPass(deps, part);
  }
  if (mode === "quick") return;
  checks.begin(EXHAUSTIVE);
  await (isFull ? allExhaustive(deps) : oneSlice(deps));
  if (mode === "full") record(deps);
}

function names(files: readonly string[]): string {
  return files.map((file) => basename(file, ".test.ts")).join(", ");
}

/** On a clean work tree a full run continues an earlier one; on a changed one it runs everything. */
function continued(deps: RunDeps): RunDeps {
  if (!deps.git.isClean()) return deps;
  return { ...deps, checks: new ContinuedChecks({ ...deps, program: deps.git.program() }) };
}

/** Runs tests without fixtures if their import path to the fixtures has changed since the last full run. */
async function secondPass({ checks, git, root }: RunDeps, part: "unit" | "spec" | "e2e") {
  const record = readFullRun(root);
  const base = record !== undefined && git.isAncestor(record.commit) ? record.commit : undefined;
  // Without a base all of them would be due, but only a full run does that.
  const changed = base === undefined ? [] : git.changedSince(base);
  await runWithoutFixtures(checks, part, changedFixtureFiles(root, TEST_FOLDERS[part], changed));
}

/** Exhaustive checks of the checked-out commit; it decides the seed of random ones. */
async function itemsOf({ git }: RunDeps): Promise<readonly ExhaustiveItem[]> {
  // Loaded late: the attacks import their clients.
  const { exhaustiveItems } = await import("./exhaustive/items.ts");
  return exhaustiveItems(Number.parseInt(git.head().slice(0, 7), 16));
}

async function oneSlice(deps: RunDeps): Promise<void> {
  const { checks, git, log } = deps;
  const head = git.head();
  const slice = sliceOf(head);
  log(`\n== exhaustive checks: part ${slice + 1} of ${SLICES}, chosen by commit ${head}`);
  await runItems(checks, divide(await itemsOf(deps))[slice] ?? []);
}

async function allExhaustive(deps: RunDeps): Promise<void> {
  const items = await itemsOf(deps);
  await runItems(
    deps.checks,
    items.filter(({ isSized }) => !isSized),
  );
}

/** Records a full run that passed, unless the work tree differs from its commit. */
function record({ summary, git, root, log }: RunDeps): void {
  if (summary.failed > 0) return;
  if (!git.isClean()) {
    log(`== ${FULL_RUN_FILE} is not written: the work tree differs from the commit`);
    return;
  }
  const date = new Date().toISOString().slice(0, 10);
  discardProgress(root);
  writeFullRun(root, { commit: git.head(), date, passed: summary.passed });
  log(`== ${FULL_RUN_FILE} is written: commit it`);
}

/**
 * Runs the tests that the difference between a commit and the work tree touches, after types and format. A
 * base that git does not know is a failure.
 */
export async function runChanged(deps: RunDeps, base: string): Promise<void> {
  const { checks, git, root, summary, log } = deps;
  if (!git.isCommit(base)) {
    log(`--changed: git knows no commit named ${base}`);
    summary.fail(1);
    return;
  }
  const changed = git.changedSince(base);
  const { quick, endToEnd, isProgramChanged } = changedTests(root, changed);
  log(
    `${changed.length} files differ from ${base}: they touch ${quick.length + endToEnd.length} test files`,
  );
  checks.begin("static");
  await checks.command("format", [process.execPath, "fmt", "--check", "."]);
  await checks.command("types", [process.execPath, "check"]);
  checks.begin("changed");
  await checks.tests("changed", quick, inProcess("quick"));
  if (endToEnd.length > 0 && (await buildProgram(checks))) {
    await checks.tests("changed end to end", endToEnd);
  }
  if (isProgramChanged) log("\nthe program has changed: ./scripts/test e2e runs it end to end");
}
