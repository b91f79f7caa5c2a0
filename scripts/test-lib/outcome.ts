import type { Ended } from "./run.ts";

/** How many tests of a run passed, failed and were left out. */
export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  /** Without a reason that {@link lacking} has. */
  readonly leftOut: number;
  /** Tests that were left out because this machine lacks a library. */
  readonly lacking: number;
}

/** What begins the names of tests that are left out where a library of the system is missing. */
export const LACKING = "[libfaketime]";

function count(output: string, word: string): number {
  const pattern = new RegExp(`^\\s*(\\d+) ${word}\\s*$`, "gm");
  return [...output.matchAll(pattern)].reduce((sum, match) => sum + Number(match[1]), 0);
}

/** Tests that were left out for a library; a name may be printed again at the end. */
function lackingIn(output: string): number {
  const lines = output.split("\n").map((line) => line.trim());
  return new Set(lines.filter((line) => line.startsWith("(skip)") && line.includes(LACKING))).size;
}

/** What `bun test` printed at its end; a run that failed without a failed test counts as one. */
export function outcomeOf({ code, output }: Ended): Outcome {
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
  };
}
