import type { ConstCost } from "../../libfunc/branch-cost.ts";

/** Of squashing a dictionary, for each key; it is paid for with every access. */
export const UNIQUE_KEY_COST = { steps: 46, rangeChecks: 6 } as const satisfies ConstCost;

/** Of squashing, for each further access to a key; what was paid beyond it is given back. */
export const REPEATED_ACCESS_COST = { steps: 9, rangeChecks: 1 } as const satisfies ConstCost;

/** Of squashing, however many keys and accesses there are. */
export const FIXED_SQUASH_COST = { steps: 57, rangeChecks: 3 } as const satisfies ConstCost;

/** Of checking a segment of the arena at the end of a run; it is paid for when a dictionary is made. */
export const ARENA_SEGMENT_COST = { steps: 8 } as const satisfies ConstCost;
