import { availableParallelism } from "node:os";
import { join } from "node:path";
import { NODE_SETTINGS } from "../../bin/process-settings.ts";
import type { Part } from "./arguments.ts";
import type { CheckRunner, GroupOptions } from "./checks.ts";
import { KILL_LOOPS, LOADING_FILES, LONG_STORIES, SMALL_ATTACKS } from "./e2e-files.ts";
import { ROOT } from "./run.ts";
import { TEST_FOLDERS } from "./test-folders.ts";

const bun = process.execPath;

/** Environment of tests at full size. */
export const FULL_SIZE: Readonly<Record<string, string>> = { TEST_SIZE: "full" };

/**
 * Runtime settings of quick end-to-end tests. Most of their programs live for seconds, and would spend a third
 * of their processor time compiling JavaScript that runs a few times more: here only hot functions are compiled,
 * and memory is not touched in advance. Collecting garbage costs another sixth: no timer starts it, and no thread
 * does it next to the program.
 * Full runs, and the tests that load the chain, have the runtime's own thresholds.
 */
const SHORT_LIVED: Readonly<Record<string, string>> = {
  BUN_JSC_thresholdForJITAfterWarmUp: "20000",
  BUN_JSC_thresholdForJITSoon: "20000",
  BUN_JSC_thresholdForOptimizeAfterWarmUp: "20000",
  BUN_JSC_thresholdForOptimizeSoon: "5000",
  BUN_JSC_thresholdForFTLOptimizeAfterWarmUp: "1000000",
  BUN_JSC_thresholdForFTLOptimizeSoon: "100000",
  BUN_JSC_useWarmUpMarkedBlocks: "0",
  BUN_JSC_useConcurrentGC: "0",
  BUN_GC_TIMER_DISABLE: "1",
};

/**
 * Settings of nodes in quick end-to-end tests: a second query thread adds a tenth to the processor time of a
 * start, and the explorer another thread. Tests of these threads set the options.
 */
const FEW_THREADS: Readonly<Record<string, string>> = {
  APPCHAIN_QUERY_THREADS: "1",
  APPCHAIN_EXPLORER: "off",
};

/** Runtime settings of quick tests in process: of their many functions, few run often enough to be compiled. */
const SELDOM_COMPILED: Readonly<Record<string, string>> = {
  BUN_JSC_thresholdForJITAfterWarmUp: "5000",
  BUN_JSC_thresholdForJITSoon: "3000",
  BUN_JSC_thresholdForOptimizeAfterWarmUp: "20000",
  BUN_JSC_thresholdForOptimizeSoon: "5000",
};

/**
 * Quick tests in process keep the memory that they have freed, and reuse it: returning it to the system takes a
 * twentieth of their processor time.
 */
const KEPT_MEMORY: Readonly<Record<string, string>> = { MIMALLOC_PURGE_DELAY: "-1" };

/** More workers than processors, because some tests wait for clocks. */
const BUSY_WORKERS = availableParallelism() + 2;

/** Timeout of a test that does not set one, at quick size and at full size. */
const TIMEOUT_MS = { quick: 60_000, full: 600_000 } as const;

/** Size of the tests of a run. */
export type TestSize = "quick" | "full";

/** Amount of a part to run. */
export interface PartAmount {
  readonly size: TestSize;
  /** Files of small attacks to run, of {@link SMALL_ATTACKS}. */
  readonly smallAttacks: readonly string[];
}

/** Runs each part. */
export const RUN_PART: Readonly<
  Record<Part, (checks: CheckRunner, amount: PartAmount) => Promise<void>>
> = {
  async static(checks) {
    await checks.command("format", [bun, "fmt", "--check", "."]);
    await checks.command("types", [bun, "check"]);
    await checks.command("types of the page", [bun, "check", "src/api/explorer/page"]);
    await checks.command("docs", [bun, "scripts/docs.ts", "--check"]);
    await checks.command("words", [bun, "scripts/words.ts"]);
    await checks.command("version", [bun, "scripts/version.ts", "--check"]);
    await checks.command("lint", [join(ROOT, "node_modules/.bin/oxlint"), "--quiet"]);
  },
  async unit(checks, { size }) {
    await checks.tests("unit", TEST_FOLDERS.unit, inProcess(size));
  },
  async spec(checks, { size }) {
    // None of these tests waits, and each worker compiles the kernels and the functions that it runs.
    const options = { ...inProcess(size), workers: availableParallelism() };
    await checks.tests("spec", TEST_FOLDERS.spec, options);
  },
  async e2e(checks, { size, smallAttacks }) {
    if (!(await buildProgram(checks))) return;
    const omitted = [
      ...SMALL_ATTACKS.filter((file) => !smallAttacks.includes(file)),
      ...(size === "quick" ? LONG_STORIES : []),
    ];
    const apart = [...LOADING_FILES, ...KILL_LOOPS, ...omitted];
    const others = apart.flatMap((file) => ["--path-ignore-patterns", file]);
    const options = optionsOf(size);
    await checks.tests("e2e", [...TEST_FOLDERS.e2e, ...others], {
      ...options,
      environment: {
        ...options.environment,
        ...(size === "quick" ? { ...SHORT_LIVED, ...FEW_THREADS } : {}),
      },
      workers: BUSY_WORKERS,
    });
    // Small attacks meet their bounds also with another one in parallel; attacks at full size do not.
    const loading = { ...options, workers: size === "quick" ? 2 : 1 };
    const files = LOADING_FILES.filter((file) => !omitted.includes(file));
    await checks.tests("e2e loading", files, loading);
  },
};

/** Options of in-process tests: the runtime has the settings of a node. */
export function inProcess(size: TestSize): GroupOptions {
  const options = optionsOf(size);
  return {
    ...options,
    environment: {
      ...options.environment,
      ...NODE_SETTINGS,
      ...(size === "quick" ? { ...SELDOM_COMPILED, ...KEPT_MEMORY } : {}),
    },
    sharesModules: true,
    workers: BUSY_WORKERS,
  };
}

function optionsOf(size: TestSize): GroupOptions {
  return { environment: size === "full" ? FULL_SIZE : {}, timeoutMs: TIMEOUT_MS[size] };
}

/** Builds `dist/appchain`, which end-to-end tests run. @returns whether that worked */
export function buildProgram(checks: CheckRunner): Promise<boolean> {
  return checks.command("compiled binary", [bun, "scripts/build.ts"]);
}
