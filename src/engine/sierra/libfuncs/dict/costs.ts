import type { ConstCost } from "../../libfunc/branch-cost.ts";

/** Cost of squashing a dictionary, per key; charged with every access. */
export const UNIQUE_KEY_COST = { steps: 46, rangeChecks: 6 } as const satisfies ConstCost;

/** Cost of squashing, per repeated access to a key; the excess charge is refunded. */
export const REPEATED_ACCESS_COST = { steps: 9, rangeChecks: 1 } as const satisfies ConstCost;

/** Cost of squashing that does not depend on the number of keys and accesses. */
export const FIXED_SQUASH_COST = { steps: 57, rangeChecks: 3 } as const satisfies ConstCost;

/** Cost of checking an arena segment at the end of a run; charged when a dictionary is created. */
export const ARENA_SEGMENT_COST = { steps: 8 } as const satisfies ConstCost;
