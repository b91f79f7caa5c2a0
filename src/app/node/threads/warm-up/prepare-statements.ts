import type { Timer } from "#base/primitives/index.ts";
import { type NodeSetup, warmsUp } from "../../setup/setup.ts";
import { type IdleWork, inIdleTurns } from "./idle-turns.ts";

/** Delay that lets other threads start first. */
const DELAY_MS = 50;

/** Statements of an open file that are compiled at their first use, or in advance. */
export interface PreparableStatements {
  /** Compiles one more statement in advance. @returns whether any are left */
  prepareNext(): boolean;
}

/**
 * Compiles a thread's statements, one in each turn of the thread, so that its first requests after a start do
 * not wait for it.
 *
 * @param setup - if it does not warm up, nothing is compiled in advance
 * @param files - statements of each open file
 */
export function prepareStatements(
  setup: Pick<NodeSetup, "warmUpTransfers">,
  files: readonly PreparableStatements[],
  timer: Timer,
): IdleWork {
  const left = [...files];
  return inIdleTurns(warmsUp(setup) ? Number.POSITIVE_INFINITY : 0, DELAY_MS, timer, () => {
    const [first] = left;
    if (first?.prepareNext() !== true) left.shift();
    return left.length > 0;
  });
}
