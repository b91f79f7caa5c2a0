import type { CheckRunner } from "../checks.ts";
import type { ExhaustiveItem } from "./item.ts";

/** Checks that wait, side by side: each starts many nodes at once, which is work before it is waiting. */
export const WAITING_LANES = 4;

/** Runs checks one after the other; those that wait run before them, some at a time, the longest first. */
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
