import { readFileSync } from "node:fs";

const ROUNDS = Number(process.env["ROUNDS"] ?? 7);

/** The kernel's clock ticks per second, `getconf CLK_TCK` on current Linux systems. */
const CLOCK_TICKS = 100;

/** Median value; the higher of two for an even number of values, NaN for no values. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

/** User and system time of a process so far, in milliseconds (proc(5), `stat`). */
export function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / CLOCK_TICKS;
}

/**
 * Measures one or two variants, usually executables, in turn, the order reversed each round, and
 * prints each round's figures and then their medians with the change from the first to the second.
 * `ROUNDS` in the environment sets another number of rounds than 7.
 *
 * @param variants - names of the variants
 * @param figures - name of each figure, with its unit
 * @param measure - starts a variant from scratch and returns one value per figure
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
