import { stallBoundMs } from "#test/helpers/stall.ts";

/** How much of an attack is done: what shows the fault at all, or all that somebody might send. */
export type AttackScale = "small" | "full";

/**
 * Longest time that something may take: in full as on a quiet machine; in small a busy machine gets more,
 * because other tests run in parallel.
 */
export function boundMs(scale: AttackScale, quietMs: number): number {
  return scale === "full" ? quietMs : stallBoundMs(quietMs);
}

/** How an attack ended. */
export interface AttackReport {
  /** Whether the node held, by bounds whose breach is a fault. */
  readonly held: boolean;
  /** What was measured, with units, and what broke when it did not hold; one line. */
  readonly figures: string;
}

/** What came of one of the cases that an attack tries side by side. */
export interface Outcome {
  /** What was measured, with units. */
  readonly said: string;
  /** What broke; empty when the node held. */
  readonly faults: readonly string[];
}

/** The report of an attack that tries several cases: it held where all of them did. */
export function reportOf(outcomes: readonly Outcome[]): AttackReport {
  return {
    held: outcomes.every(({ faults }) => faults.length === 0),
    figures: outcomes.map(({ said, faults }) => [said, ...faults].join(", ")).join("; "),
  };
}

/**
 * What a stranger may send to stop a node or to keep others waiting. Each attack starts the compiled
 * executable itself, attacks it while honest clients go on, and stops it.
 */
export interface Attack {
  /** As `scripts/attack` takes it; kebab-case. */
  readonly name: string;
  /** What is done, as a sentence. */
  readonly about: string;
  run(scale: AttackScale): Promise<AttackReport>;
}
