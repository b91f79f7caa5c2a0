import type { Ended } from "./run.ts";

/** How many tests of a run passed, failed and were left out. */
export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  /** Without a reason that {@link lacking} has. */
  readonly leftOut: number;
  /** Tests that were left out because this machine lacks a library or program. */
  readonly lacking: number;
  /** Each test that failed, with what was printed of it. */
  readonly failures: readonly string[];
}

/** What begins the names of tests that are left out where a library or program of the system is missing. */
export const LACKING = ["[libfaketime]", "[haproxy]"] as const;

function count(output: string, word: string): number {
  const pattern = new RegExp(`^\\s*(\\d+) ${word}\\s*$`, "gm");
  return [...output.matchAll(pattern)].reduce((sum, match) => sum + Number(match[1]), 0);
}

/** Tests that were left out for one of these; a name may be printed again at the end. */
function lackingIn(output: string): number {
  const lines = output.split("\n").map((line) => line.trim());
  return new Set(lines.filter(isLacking)).size;
}

function isLacking(line: string): boolean {
  return line.startsWith("(skip)") && LACKING.some((name) => line.includes(name));
}

/** Lines before a failed test that are shown with it: a difference and where it was seen. */
const EXCERPT_LINES = 40;
const FAILURE = /^(?:\(fail\)|✗) /;
/** The end of a test, whatever it was; or of a file whose process ended. */
const END_OF_TEST = /^(?:\((?:pass|skip|todo|fail)\)|✗) /;

/** Each failed test with what was printed since the result before it, and why, where it took too long. */
function failuresIn(output: string): readonly string[] {
  const lines = output.split("\n");
  // Longer runs name their failures a second time at their end.
  const end = lines.findIndex((line) => /^\d+ tests? (?:failed|skipped):$/.test(line));
  const shown = end < 0 ? lines : lines.slice(0, end);
  return shown.flatMap((line, at) => {
    if (!FAILURE.test(line)) return [];
    const before = shown.slice(Math.max(0, at - EXCERPT_LINES), at);
    const last = before.findLastIndex((one) => END_OF_TEST.test(one));
    const after = shown[at + 1]?.startsWith("  ^ ") === true ? [shown[at + 1]] : [];
    return [[...before.slice(last + 1), line, ...after].join("\n").trim()];
  });
}

/** Test files that `bun test` printed results of: those that a run had. */
export function filesIn(output: string): ReadonlySet<string> {
  return new Set([...output.matchAll(/^(\S+\.test\.ts):$/gm)].map(([, file = ""]) => file));
}

/** What `bun test` printed at its end; a run that failed without a failed test counts as one. */
export function outcomeOf({ code, output }: Pick<Ended, "code" | "output">): Outcome {
  const failed = count(output, "fail");
  // A test that ends the process takes the rest along, and the exit code may still be 0.
  const isWhole = /^Ran \d+ tests? across/m.test(output);
  const isBroken = failed === 0 && (code !== 0 || !isWhole);
  const lacking = lackingIn(output);
  return {
    passed: count(output, "pass"),
    failed: isBroken ? 1 : failed,
    leftOut: count(output, "skip") - lacking,
    lacking,
    failures: failuresIn(output),
  };
}
