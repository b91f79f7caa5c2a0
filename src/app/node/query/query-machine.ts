import { type CairoVm, createCairoVm } from "#engine/cairo/index.ts";
import type { ProcessorTime } from "../threads/health/processor-time.ts";

/** What the machine of a query thread works with. */
export interface QueryMachineDeps {
  /** Non-zero ends what runs. */
  readonly cancelFlag: Int32Array;
  /** Most memory of a run. */
  readonly maxMemoryBytes: number;
  /** Most address space of its cells. */
  readonly maxSpanBytes: number;
  /** Permits of all query threads for runs that need much of it. */
  readonly memoryPermits: Int32Array;
  /** What the machines of all threads keep between their runs. */
  readonly keptMemory: Int32Array;
  /** Is looked at while the machine runs. */
  readonly time: Pick<ProcessorTime, "look">;
}

/** The machine of a query thread: ended by its flag alone, and never long without a look at the time. */
export function createQueryMachine({ time, ...options }: QueryMachineDeps): CairoVm {
  return createCairoVm({
    ...options,
    isOver() {
      time.look();
      return false;
    },
  });
}
