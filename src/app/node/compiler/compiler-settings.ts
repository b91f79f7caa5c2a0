/** Settings of a process that compiles classes; it is killed when it exceeds a bound. */
export interface CompilerSettings {
  /** Bound of resident memory, in bytes. */
  readonly maxResidentBytes: number;
  /** Bound of the wall time of one compilation, in milliseconds. */
  readonly deadlineMs: number;
  /** Scheduling priority, from 0 (as other programs) to 19 (lowest): nice(2). */
  readonly niceness: number;
}
