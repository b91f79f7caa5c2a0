/** Bounds of a process that compiles classes; it is killed when it exceeds one. */
export interface CompilerBounds {
  /** Resident memory, in bytes. */
  readonly maxResidentBytes: number;
  /** Wall time of one compilation, in milliseconds. */
  readonly deadlineMs: number;
}
