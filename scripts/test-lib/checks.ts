import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { COSTS_VARIABLE } from "./file-costs.ts";
import { endLeftovers, markOf } from "./leftovers.ts";
import { filesIn, outcomeOf } from "./outcome.ts";
import { type Ended, run } from "./run.ts";
import type { Summary } from "./summary.ts";
import { emptyCosts, type TimedGroup, timingsPath } from "./timings.ts";

/** Options for a run of a group of test files. */
export interface GroupOptions {
  /** Files at a time; by default as many as the machine has processors. */
  readonly workers?: number;
  readonly environment?: Readonly<Record<string, string>>;
  /** Timeout of a test that does not set one. */
  readonly timeoutMs?: number;
  /**
   * Whether files of one worker share their modules, which saves loading them for each: for files that start no
   * processes and leave nothing behind.
   */
  readonly sharesModules?: boolean;
  /** Whether skipped tests are no failure; by default only where the fixtures are missing. */
  readonly mayLeaveOut?: boolean;
}

/** Tests of a group that passed, and tests that failed or were skipped without permission. */
export interface CheckCounts {
  readonly passed: number;
  readonly failed: number;
}

/** What {@link Checks} needs. */
export interface ChecksDeps {
  readonly summary: Summary;
  readonly hasFixtures: boolean;
  readonly log: (line: string) => void;
}

const TEST_TIMEOUT_MS = 60_000;

const COSTS_PRELOAD = join(import.meta.dir, "costs.preload.ts");

/** The part of {@link Checks} that runs something. */
export type CheckRunner = Pick<Checks, "begin" | "command" | "tests" | "hasFixtures">;

/** Runs checks, and adds each result and its cost to the summary. */
export class Checks {
  readonly #deps: ChecksDeps;
  readonly #groups: TimedGroup[] = [];
  #part = "";
  #beginMs = 0;

  constructor(deps: ChecksDeps) {
    this.#deps = deps;
  }

  /** Groups of test files that were run. */
  get groups(): readonly TimedGroup[] {
    return this.#groups;
  }

  /** Whether the fixtures are in place. */
  get hasFixtures(): boolean {
    return this.#deps.hasFixtures;
  }

  /** Names the part that later checks belong to; its time counts until the next one begins. */
  begin(part: string): void {
    this.end();
    this.#part = part;
    this.#beginMs = performance.now();
  }

  /** Ends the last part. */
  end(): void {
    if (this.#part === "") return;
    this.#deps.summary.spendTime(this.#part, (performance.now() - this.#beginMs) / 1000);
    this.#part = "";
  }

  /** Runs a command that passes or fails as a whole. @returns whether it passed */
  async command(
    name: string,
    command: readonly string[],
    environment: Readonly<Record<string, string>> = {},
  ): Promise<boolean> {
    const { summary, log } = this.#deps;
    const { ended, seconds, left } = await this.#run(name, command, environment);
    const { code, cpuSeconds } = ended;
    const verdict = code === 0 ? "ok" : `FAILED (exit code ${code})`;
    log(`== ${name}: ${verdict} in ${seconds.toFixed(1)} s, CPU ${cpuSeconds.toFixed(0)} s`);
    if (code === 0) summary.pass();
    else summary.fail(1, `${name}: exit code ${code}`);
    return code === 0 && left === 0;
  }

  /** Runs test files, and counts their tests one by one. @returns what it has added to the summary */
  async tests(
    name: string,
    args: readonly string[],
    options: GroupOptions = {},
  ): Promise<CheckCounts> {
    if (args.length === 0) return { passed: 0, failed: 0 };
    const { summary, hasFixtures, log } = this.#deps;
    const { workers, environment = {}, timeoutMs = TEST_TIMEOUT_MS } = options;
    const { mayLeaveOut = !hasFixtures } = options;
    const timings = timingsPath(name.replaceAll(" ", "-"), args);
    const command = [
      ...[process.execPath, "test", "--timeout", String(timeoutMs)],
      ...["--preload", COSTS_PRELOAD],
      workers === undefined ? "--parallel" : `--parallel=${workers}`,
      ...(options.sharesModules === true ? ["--no-isolate"] : []),
      ...[`--timings=${timings}`, "--update-timings"],
      ...args,
    ];
    const costsPath = emptyCosts(timings);
    const { ended, seconds, left } = await this.#run(name, command, {
      [COSTS_VARIABLE]: costsPath,
      ...environment,
    });
    this.#groups.push({ path: timings, costsPath, files: filesIn(ended.output) });
    const { passed, failed, leftOut, lacking, failures } = outcomeOf(ended);
    summary.count({ passed, failed, leftOut: hasFixtures ? 0 : leftOut, lacking });
    summary.explain(...failures.map((failure) => `${name}:\n${failure}`));
    if (failed > failures.length) summary.explain(`${name}: exit code ${ended.code}`);
    const isSkippedInVain = !mayLeaveOut && leftOut > 0;
    if (isSkippedInVain) {
      const text = `${name}: ${leftOut} tests were skipped although the fixtures are in place`;
      log(`== ${text}`);
      summary.fail(leftOut, text);
    }
    const cost = `${seconds.toFixed(1)} s, CPU ${ended.cpuSeconds.toFixed(0)} s`;
    log(`== ${name}: ${passed} passed, ${failed} failed in ${cost}`);
    return { passed, failed: failed + left + (isSkippedInVain ? leftOut : 0) };
  }

  async #run(
    name: string,
    command: readonly string[],
    environment: Readonly<Record<string, string>>,
  ): Promise<{ readonly ended: Ended; readonly seconds: number; readonly left: number }> {
    const { summary, log } = this.#deps;
    // Checks may run in parallel: each one marks its processes.
    const runId = randomUUID();
    log(`\n== ${name}`);
    const startMs = performance.now();
    const ended = await run(command, { ...markOf(runId), ...environment });
    const seconds = (performance.now() - startMs) / 1000;
    summary.spendCpu(this.#part, ended.cpuSeconds);
    const leftovers = await endLeftovers(runId);
    const texts = leftovers.map(
      ({ pid, command: text }) => `${name}: left process ${pid}: ${text}`,
    );
    if (texts.length > 0) summary.fail(texts.length, ...texts);
    return { ended, seconds, left: leftovers.length };
  }
}
