import type { Step } from "../run/step.ts";

/** Formats the addresses of a plan, one per line, under their names in the address file. */
export function planLines(steps: readonly Step[]): readonly string[] {
  const entries = steps.flatMap(({ addresses }) => Object.entries(addresses));
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries.map(([name, address]) => `${name.padEnd(width)}  ${address}`);
}
