/** How the interpreter's loop (slice.ts) came back. */
export namespace Exit {
  export const BUDGET: u32 = 0;
  /** The instruction at pc has hints, which come first. */
  export const HINTS: u32 = 1;
  /** The instruction at pc is one for stepSlow(). */
  export const SLOW: u32 = 2;
  /** The hints of the instruction at pc are done; what they have taken of the memory is to be counted. */
  export const HINTS_DONE: u32 = 3;
  /** A hint has failed. */
  export const FAILED: u32 = 4;
}
