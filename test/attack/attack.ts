import { stallBoundMs } from "#test/helpers/stall.ts";

/** Extent of an attack: enough to show the fault, or as much as an attacker may send. */
export type AttackScale = "small" | "full";

/**
 * Deadline of an operation: in full as on a quiet machine; in small it is longer, because other
 * tests run in parallel.
 */
export function boundMs(scale: AttackScale, quietMs: number): number {
  return scale === "full" ? quietMs : stallBoundMs(quietMs);
}

/** Result of an attack. */
export interface AttackReport {
  /** Whether the node stayed within bounds whose breach is a fault. */
  readonly held: boolean;
  /** Measurements with units, and the faults if it did not hold; one line. */
  readonly figures: string;
}

/** Result of one of the cases that an attack tries in parallel. */
export interface Outcome {
  /** Measurements with units. */
  readonly said: string;
  /** Faults; empty if the node held. */
  readonly faults: readonly string[];
}

/** Report of an attack with several cases: it held if all of them did. */
export function reportOf(outcomes: readonly Outcome[]): AttackReport {
  return {
    held: outcomes.every(({ faults }) => faults.length === 0),
    figures: outcomes.map(({ said, faults }) => [said, ...faults].join(", ")).join("; "),
  };
}

/**
 * Attack by which a client may try to stop a node or to block other clients. Each attack starts the
 * compiled executable, attacks it while honest clients are active, and stops it.
 */
export interface Attack {
  /** Argument of `scripts/attack`; kebab-case. */
  readonly name: string;
  /** Description of the attack, as a sentence. */
  readonly about: string;
  run(scale: AttackScale): Promise<AttackReport>;
}
