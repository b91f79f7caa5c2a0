import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync } from "node:fs";
import { WAITING } from "#test/attack/index.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { type Part, PARTS } from "../../../scripts/test-lib/arguments.ts";
import type { CheckRunner, GroupOptions } from "../../../scripts/test-lib/checks.ts";
import { LOADING_FILES, SMALL_ATTACKS } from "../../../scripts/test-lib/e2e-files.ts";
import { readFullRun, writeFullRun } from "../../../scripts/test-lib/exhaustive/full-run.ts";
import { exhaustiveItems } from "../../../scripts/test-lib/exhaustive/items.ts";
import { divide, SLICES, sliceOf } from "../../../scripts/test-lib/exhaustive/slices.ts";
import type { Git } from "../../../scripts/test-lib/git.ts";
import { runChanged, runParts } from "../../../scripts/test-lib/modes.ts";
import { Summary } from "../../../scripts/test-lib/summary.ts";

const HEAD = "f123456789abcdef0123456789abcdef01234567";
const RECORDED = { commit: "0".repeat(40), date: "2026-11-27", passed: 1 };

/** A group of checks that would run. */
interface Ran {
  readonly name: string;
  readonly files: readonly string[];
  readonly options: GroupOptions;
}

/** Checks that only record what would have run. */
function recordingChecks(ran: Ran[]): CheckRunner {
  return {
    hasFixtures: true,
    begin: () => undefined,
    command: async (name) => ran.push({ name, files: [], options: {} }) > 0,
    tests: async (name, files, options: GroupOptions | undefined) => {
      if (files.length > 0) ran.push({ name, files, options: options ?? {} });
      return { passed: files.length, failed: 0 };
    },
  };
}

/** A clean repository whose record is one commit old. */
const GIT: Git = {
  head: () => HEAD,
  program: () => "program",
  isCommit: (name) => name === HEAD,
  isAncestor: () => true,
  countSince: () => 1,
  changedSince: () => [],
  isClean: () => true,
};

/**
 * Runs parts with checks that do nothing. @returns what would have run, and the record afterwards
 */
async function ranBy(
  mode: "quick" | "full" | "ci",
  {
    changed = [],
    isClean = true,
    failures = 0,
    hasRecord = true,
    parts = PARTS,
    head = HEAD,
  }: {
    readonly changed?: readonly string[];
    readonly isClean?: boolean;
    readonly failures?: number;
    readonly hasRecord?: boolean;
    readonly parts?: readonly Part[];
    readonly head?: string;
  } = {},
) {
  using folder = temporaryFolder();
  mkdirSync(folder.file("test"));
  if (hasRecord) writeFullRun(folder.path, RECORDED);
  const ran: Ran[] = [];
  const lines: string[] = [];
  const checks = recordingChecks(ran);
  const git: Git = {
    ...GIT,
    head: () => head,
    changedSince: () => changed,
    isClean: () => isClean,
  };
  const summary = new Summary();
  if (failures > 0) summary.fail(failures);
  await runParts(
    { checks, summary, git, root: folder.path, log: (line) => lines.push(line) },
    { kind: "parts", parts, mode },
  );
  const hasProgress = existsSync(folder.file("build/full-run-progress.json"));
  const names = ran.map(({ name }) => name);
  return { ran, lines, names, record: readFullRun(folder.path), hasProgress };
}

const sizeOf = (ran: readonly Ran[], name: string): string | undefined =>
  ran.find((each) => each.name === name)?.options.environment?.["TEST_SIZE"];

/** Names of the runtime settings that a group passes to its processes. */
const settingsOf = (ran: readonly Ran[], name: string): readonly string[] =>
  Object.keys(ran.find((each) => each.name === name)?.options.environment ?? {}).filter((each) =>
    each.startsWith("BUN_"),
  );

const items = exhaustiveItems(1);

describe("a quick run", () => {
  test("has all parts at quick size, and nothing exhaustive", async () => {
    const { ran, names } = await ranBy("quick");
    for (const name of ["types", "unit", "spec", "e2e", "e2e loading"])
      expect(names).toContain(name);
    expect(sizeOf(ran, "unit")).toBeUndefined();
    expect(names.filter((name) => /^attack |^kill loop |without fixtures/.test(name))).toEqual([]);
  });

  test("has a third of the small attacks, and the others for the next two hashes", async () => {
    const of = async (head: string): Promise<readonly string[]> => {
      const { ran } = await ranBy("quick", { head });
      const [e2e = [], loading = []] = ["e2e", "e2e loading"].map(
        (name) => ran.find((each) => each.name === name)?.files,
      );
      // The group lists the files that it excludes.
      return SMALL_ATTACKS.filter((file) =>
        LOADING_FILES.includes(file) ? loading.includes(file) : !e2e.includes(file),
      );
    };
    const thirds = await Promise.all(["d", "e", "f"].map((end) => of("0".repeat(39) + end)));
    expect(thirds.flat().toSorted()).toEqual(SMALL_ATTACKS.toSorted());
    const lengths = thirds.map(({ length }) => length);
    expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThanOrEqual(1);
  });

  test("turns off JIT compilation and garbage collection ahead of need for short programs, but not for those under load", async () => {
    const { ran } = await ranBy("quick");
    expect(new Set(settingsOf(ran, "e2e"))).toEqual(
      new Set([
        "BUN_JSC_thresholdForJITAfterWarmUp",
        "BUN_JSC_thresholdForJITSoon",
        "BUN_JSC_thresholdForOptimizeAfterWarmUp",
        "BUN_JSC_thresholdForOptimizeSoon",
        "BUN_JSC_thresholdForFTLOptimizeAfterWarmUp",
        "BUN_JSC_thresholdForFTLOptimizeSoon",
        "BUN_JSC_useWarmUpMarkedBlocks",
        "BUN_JSC_useConcurrentGC",
        "BUN_GC_TIMER_DISABLE",
      ]),
    );
    expect(settingsOf(ran, "e2e loading")).toEqual([]);
  });

  test("has only the named parts", async () => {
    expect((await ranBy("quick", { parts: ["spec"] })).names).toEqual(["spec"]);
  });
});

describe("a CI run", () => {
  test("has the tenth of the exhaustive checks that the commit selects", async () => {
    const { ran, names } = await ranBy("ci");
    const slice = divide(items)[sliceOf(HEAD)] ?? [];
    expect(sizeOf(ran, "unit")).toBeUndefined();
    expect(slice.length).toBeGreaterThan(0);
    for (const { name } of slice) {
      expect(names.some((each) => each.split(",")[0] === name.split(",")[0])).toBe(true);
    }
  });

  test("is not a full run before the first is recorded, and says so", async () => {
    const { ran, lines } = await ranBy("ci", { hasRecord: false });
    expect(sizeOf(ran, "unit")).toBeUndefined();
    expect(lines.join("\n")).toContain("no full run is recorded");
  });

  test("is a full run if the engine has changed, but records nothing", async () => {
    const { ran, names, record } = await ranBy("ci", { changed: ["src/engine/state/index.ts"] });
    expect(sizeOf(ran, "unit")).toBe("full");
    for (const { name } of WAITING) expect(names).toContain(`attack ${name}`);
    expect(record).toEqual(RECORDED);
  });
});

describe("a full run", () => {
  test("has all parts at full size and all exhaustive checks without the small attacks", async () => {
    const { ran, names } = await ranBy("full");
    for (const name of ["unit", "spec", "e2e", "e2e loading"])
      expect(sizeOf(ran, name)).toBe("full");
    for (const { name, isSized } of items) {
      const [start = ""] = name.split(",");
      expect([name, names.some((each) => each.startsWith(start))]).toEqual([name, !isSized]);
    }
    expect(names).toContain("unit without fixtures");
  });

  test("uses the runtime's default thresholds", async () => {
    const { ran } = await ranBy("full");
    for (const name of ["e2e", "e2e loading"]) expect(settingsOf(ran, name)).toEqual([]);
  });

  test("is recorded if it passed on a clean work tree", async () => {
    const passed = await ranBy("full", { hasRecord: false });
    expect(passed.record?.commit).toBe(HEAD);
    expect((await ranBy("full", { hasRecord: false, failures: 1 })).record).toBeUndefined();
    expect((await ranBy("full", { hasRecord: false, isClean: false })).record).toBeUndefined();
  });
});

describe("progress of a full run", () => {
  test("is kept until all checks passed, and discarded once the run is recorded", async () => {
    expect((await ranBy("full", { failures: 1 })).hasProgress).toBe(true);
    expect((await ranBy("full")).hasProgress).toBe(false);
  });

  test("is not kept for a dirty work tree, nor for other runs", async () => {
    expect((await ranBy("full", { isClean: false })).hasProgress).toBe(false);
    expect((await ranBy("quick")).hasProgress).toBe(false);
  });
});

describe("a run of changed tests", () => {
  test("fails without running anything if git does not know the base", async () => {
    using folder = temporaryFolder();
    const ran: Ran[] = [];
    const lines: string[] = [];
    const checks = recordingChecks(ran);
    const summary = new Summary();
    const log = (line: string) => lines.push(line);
    await runChanged({ checks, summary, git: GIT, root: folder.path, log }, "no-such-branch");
    expect(ran).toEqual([]);
    expect(summary.failed).toBe(1);
    expect(lines).toEqual(["--changed: git knows no commit named no-such-branch"]);
  });
});

describe("exhaustive checks", () => {
  test("are distinct and fill all ten slices", () => {
    expect(new Set(items.map(({ name }) => name)).size).toBe(items.length);
    expect(divide(items).every((slice) => slice.length > 0)).toBe(true);
    expect(items.length).toBeGreaterThan(SLICES);
  });
});
