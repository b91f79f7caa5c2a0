import type { Ended } from "./run.ts";

/** How many tests of a run passed, failed and were left out. */
export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  readonly leftOut: number;
}

function count(output: string, word: string): number {
  const pattern = new RegExp(`^\\s*(\\d+) ${word}\\s*$`, "gm");
  return [...output.matchAll(pattern)].reduce((sum, match) => sum + Number(match[1]), 0);
}

/** What `bun test` printed at its end; a run that failed without a failed test counts as one. */
export function outcomeOf({ code, output }: Ended): Outcome {
  const failed = count(output, "fail");
  // A test that ends the process takes the rest along, and the exit code may still be 0.
  const isWhole = /^Ran \d+ tests? across/m.test(output);
  const isBroken = failed === 0 && (code !== 0 || !isWhole);
  return {
    passed: count(output, "pass"),
    failed: isBroken ? 1 : failed,
    leftOut: count(output, "skip"),
  };
}
