/** Settings of a process that compiles classes; it is killed when it exceeds a bound. */
export interface CompilerSettings {
  /** Bound of resident memory, in bytes. */
  readonly maxResidentBytes: number;
  /** Bound of the processor time of one compilation. */
  readonly maxCpuMs: number;
  /** Scheduling priority, from 0 (as other programs) to 19 (lowest): nice(2). */
  readonly niceness: number;
}

/** A process of the lowest priority gets at least this part of a processor on a machine that is not hopeless. */
const WALL_FACTOR = 10;

/** Wall time after which a compilation is given up that waits for something else than the processor. */
export function wallDeadlineMs({ maxCpuMs }: Pick<CompilerSettings, "maxCpuMs">): number {
  return WALL_FACTOR * maxCpuMs;
}
