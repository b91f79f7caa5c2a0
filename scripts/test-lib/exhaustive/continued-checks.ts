import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { CheckCounts, CheckRunner, GroupOptions } from "../checks.ts";
import type { Summary } from "../summary.ts";

/** File of the checks that have passed, from the root of the repository. */
const FILE = "build/full-run-progress.json";

/** Part of a run that has the exhaustive checks. */
export const EXHAUSTIVE = "exhaustive";

/** Content of the file. */
interface Progress {
  /** The program that was tested ({@link Git.program}). */
  readonly program: string;
  /** Tests and checks that passed, by the name of their check. */
  readonly passed: Readonly<Record<string, number>>;
}

/** What {@link ContinuedChecks} needs. */
export interface ContinuedDeps {
  readonly checks: CheckRunner;
  readonly summary: Pick<Summary, "count">;
  /** The repository. */
  readonly root: string;
  /** The program that is tested, as git names it. */
  readonly program: string;
  readonly log: (line: string) => void;
}

/**
 * Checks of a full run. A full run takes more than an hour, so it continues an earlier, unfinished one of the same
 * program: checks that passed then are counted and skipped, all others run. A change to the program discards that
 * progress; a change to a test does not.
 */
export class ContinuedChecks implements CheckRunner {
  readonly #deps: ContinuedDeps;
  readonly #passed: Map<string, number>;
  #part = "";

  constructor(deps: ContinuedDeps) {
    this.#deps = deps;
    this.#passed = new Map(Object.entries(readProgress(deps)));
  }

  /** Whether the fixtures are in place. */
  get hasFixtures(): boolean {
    return this.#deps.checks.hasFixtures;
  }

  /** Names the part that later checks belong to. */
  begin(part: string): void {
    this.#part = part;
    this.#deps.checks.begin(part);
  }

  /**
   * Runs a command, unless it is an exhaustive check that passed before. Commands of other parts are quick, and
   * later checks need what they build.
   *
   * @returns whether it passed
   */
  async command(
    name: string,
    command: readonly string[],
    environment?: Readonly<Record<string, string>>,
  ): Promise<boolean> {
    const run = async (): Promise<CheckCounts> => {
      const hasPassed = await this.#deps.checks.command(name, command, environment);
      return hasPassed ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
    };
    const { failed } = await (this.#part === EXHAUSTIVE ? this.#once(name, run) : run());
    return failed === 0;
  }

  /** Runs test files, unless all of them passed before. */
  tests(name: string, files: readonly string[], options?: GroupOptions): Promise<CheckCounts> {
    return this.#once(name, () => this.#deps.checks.tests(name, files, options));
  }

  async #once(name: string, run: () => Promise<CheckCounts>): Promise<CheckCounts> {
    const { summary, log } = this.#deps;
    const before = this.#passed.get(name);
    if (before !== undefined) {
      log(`== ${name}: ${before} passed in an earlier run`);
      summary.count({ passed: before, failed: 0, leftOut: 0, lacking: 0 });
      return { passed: before, failed: 0 };
    }
    const counts = await run();
    if (counts.failed === 0) {
      this.#passed.set(name, counts.passed);
      this.#write();
    }
    return counts;
  }

  #write(): void {
    const { root, program } = this.#deps;
    const path = join(root, FILE);
    mkdirSync(dirname(path), { recursive: true });
    const progress: Progress = { program, passed: Object.fromEntries(this.#passed) };
    writeFileSync(path, JSON.stringify(progress));
  }
}

/** Discards the progress of a full run that has passed: the next one runs everything. */
export function discardProgress(root: string): void {
  rmSync(join(root, FILE), { force: true });
}

function readProgress({ root, program }: ContinuedDeps): Progress["passed"] {
  const path = join(root, FILE);
  if (!existsSync(path)) return {};
  try {
    const progress = JSON.parse(readFileSync(path, "utf8")) as Partial<Progress> | null;
    return progress?.program === program ? (progress.passed ?? {}) : {};
  } catch {
    // A run that was killed while it wrote: everything is due.
    return {};
  }
}
