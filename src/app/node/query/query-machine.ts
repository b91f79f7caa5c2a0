import { type CairoVm, createCairoVm } from "#engine/cairo/index.ts";
import type { ProcessorTime } from "../threads/health/processor-time.ts";

/** Dependencies of {@link createQueryMachine}. */
export interface QueryMachineDeps {
  /** Non-zero cancels the run in progress. */
  readonly cancelFlag: Int32Array;
  /** Maximum memory of a run. */
  readonly maxMemoryBytes: number;
  /** Maximum address space of its cells. */
  readonly maxSpanBytes: number;
  /** Permits, shared by all query threads, for runs that need much memory. */
  readonly memoryPermits: Int32Array;
  /** Counter of the memory that the machines of all threads keep between runs. */
  readonly retainedMemory: Int32Array;
  /** Checked regularly during a run. */
  readonly time: Pick<ProcessorTime, "look">;
}

/**
 * Creates the machine of a query thread. Only its flag cancels it; it checks the time regularly during a run.
 */
export function createQueryMachine({ time, ...options }: QueryMachineDeps): CairoVm {
  return createCairoVm({
    ...options,
    isOver() {
      time.look();
      return false;
    },
  });
}
