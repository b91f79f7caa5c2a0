/** Settings of a process that compiles classes; it is killed when it exceeds a bound. */
export interface CompilerSettings {
  /** Bound of resident memory, in bytes. */
  readonly maxResidentBytes: number;
  /** Bound of the processor time of one compilation. */
  readonly maxCpuMs: number;
  /** Scheduling priority, from 0 (as other programs) to 19 (lowest): nice(2). */
  readonly niceness: number;
}

/** Maximum ratio of wall time to processor time of a lowest-priority process, unless the machine is overloaded. */
const WALL_FACTOR = 10;

/** Wall-time limit of a compilation, which may wait for resources other than the processor. */
export function wallDeadlineMs({ maxCpuMs }: Pick<CompilerSettings, "maxCpuMs">): number {
  return WALL_FACTOR * maxCpuMs;
}
