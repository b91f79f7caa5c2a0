import { classOf, encode, jump, push } from "./assembler.ts";

/** `ap += 30000; [ap] = 1; ap++` without end: three steps for 30 001 cells. */
export const PASSING_OVER = classOf([
  encode({ off0: -1, off1: -1, off2: 1, flags: 0x0407 }),
  30_000n,
  ...push(1n),
  ...jump(-4),
]);

/** Steps after which {@link PASSING_OVER} spans a number of cells. */
export function stepsFor(cells: number): number {
  return Math.ceil(cells / 30_001) * 3;
}

/** `[ap] = 1; ap++` without end. */
export const FILLING = classOf([...push(1n), ...jump(-2)]);
