import type { Ended } from "./run.ts";

/** Numbers of tests of a run that passed, failed and were skipped. */
export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  /** Skipped tests, without those of {@link lacking}. */
  readonly leftOut: number;
  /** Tests that were skipped because this machine lacks a library or program. */
  readonly lacking: number;
  /** Each test that failed, with its output. */
  readonly failures: readonly string[];
}

/** Prefixes of the names of tests that are skipped if a library or program of the system is missing. */
export const LACKING = ["[libfaketime]", "[haproxy]", "[starknet-devnet]", "[chromium]"] as const;

function count(output: string, word: string): number {
  const pattern = new RegExp(`^\\s*(\\d+) ${word}\\s*$`, "gm");
  return [...output.matchAll(pattern)].reduce((sum, match) => sum + Number(match[1]), 0);
}

/** Number of tests that were skipped for one of these; the output may repeat a name at its end. */
function lackingIn(output: string): number {
  const lines = output.split("\n").map((line) => line.trim());
  return new Set(lines.filter(isLacking)).size;
}

function isLacking(line: string): boolean {
  return line.startsWith("(skip)") && LACKING.some((name) => line.includes(name));
}

/** Maximum of lines before a failed test that are shown with it: a difference and its place. */
const EXCERPT_LINES = 40;
const FAILURE = /^(?:\(fail\)|✗) /;
/** Result line of any test, or of a file whose process died. */
const END_OF_TEST = /^(?:\((?:pass|skip|todo|fail)\)|✗) /;

/** Each failed test with the output since the previous result, and the reason if it timed out. */
function failuresIn(output: string): readonly string[] {
  const lines = output.split("\n");
  // Longer runs repeat their failures at their end.
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

/** Test files of a run: those for which `bun test` printed results. */
export function filesIn(output: string): ReadonlySet<string> {
  return new Set([...output.matchAll(/^(\S+\.test\.ts):$/gm)].map(([, file = ""]) => file));
}

/** Parses the last lines of `bun test`; a failed run without a failed test counts as one failure. */
export function outcomeOf({ code, output }: Pick<Ended, "code" | "output">): Outcome {
  const failed = count(output, "fail");
  // A test that exits the process also ends all later tests, and the exit code may still be 0.
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
