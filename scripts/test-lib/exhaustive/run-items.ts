import type { CheckRunner } from "../checks.ts";
import type { ExhaustiveItem } from "./item.ts";

/** Maximum of waiting checks that run in parallel: each starts many nodes together, which takes processor time. */
export const WAITING_LANES = 4;

/** Runs checks one after the other; those that mostly wait run before them, some in parallel, the longest first. */
export async function runItems(
  checks: CheckRunner,
  items: readonly ExhaustiveItem[],
): Promise<void> {
  const waiting = items
    .filter(({ isWaiting }) => isWaiting)
    .toSorted((a, b) => b.seconds - a.seconds)
    .values();
  const runLane = async (): Promise<void> => {
    for (const item of waiting) await item.run(checks);
  };
  await Promise.all(Array.from({ length: WAITING_LANES }, runLane));
  for (const item of items) {
    if (!item.isWaiting) await item.run(checks);
  }
}
