import { readFileSync } from "node:fs";

const ROUNDS = Number(process.env["ROUNDS"] ?? 7);

/** The kernel's clock ticks per second, `getconf CLK_TCK` on every Linux of today. */
const CLOCK_TICKS = 100;

/** The middle value; of an even number the higher of two; not a number of none. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

/** User and system time that a process took so far, in milliseconds (proc(5), `stat`). */
export function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / CLOCK_TICKS;
}

/**
 * Measures one or two things, executables as a rule, in turns, the order reversed each round, and prints
 * each round's figures and then their medians with the change from the first to the second. `ROUNDS` in
 * the environment takes another number of rounds than 7.
 *
 * @param variants - names of what is measured
 * @param figures - what is measured of each, with its unit
 * @param measure - one value for each of the figures, of a variant that it starts anew
 */
export async function printPairs(
  variants: readonly string[],
  figures: readonly string[],
  measure: (variant: string) => Promise<readonly number[]>,
): Promise<void> {
  const results = variants.map((): (readonly number[])[] => []);
  for (let round = 0; round < ROUNDS; round++) {
    const order = [...variants.keys()];
    if (round % 2 === 1) order.reverse();
    for (const i of order) {
      const found = await measure(variants[i] ?? "");
      results[i]?.push(found);
      console.log(`round ${round + 1} ${variants[i]}: ${found.map(rounded).join(" ")}`);
    }
  }
  for (const [index, figure] of figures.entries()) {
    const medians = results.map((rounds) => median(rounds.map((found) => found[index] ?? NaN)));
    const [old = NaN, fresh] = medians;
    const change = fresh === undefined ? "" : ` (${((fresh / old - 1) * 100).toFixed(1)} %)`;
    console.log(`${figure}: ${medians.map(rounded).join(" -> ")}${change}`);
  }
}

function rounded(value: number): string {
  return value.toFixed(2);
}
