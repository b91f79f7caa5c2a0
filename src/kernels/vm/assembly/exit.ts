/** Reasons why the interpreter's loop (slice.ts) returned. */
export namespace Exit {
  export const BUDGET: u32 = 0;
  /** The instruction at pc has hints that must run first. */
  export const HINTS: u32 = 1;
  /** The instruction at pc must be executed by stepSlow(). */
  export const SLOW: u32 = 2;
  /** The hints of the instruction at pc have run; their memory must be counted before the loop continues. */
  export const HINTS_DONE: u32 = 3;
  /** A hint has failed. */
  export const FAILED: u32 = 4;
}
