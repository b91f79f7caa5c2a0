import type { Step } from "../run/step.ts";

/** The addresses of a plan as the file of addresses will name them, a line each. */
export function planLines(steps: readonly Step[]): readonly string[] {
  const entries = steps.flatMap(({ addresses }) => Object.entries(addresses));
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries.map(([name, address]) => `${name.padEnd(width)}  ${address}`);
}
