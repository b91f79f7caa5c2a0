export { entryPointBuiltinsProblem } from "./builtin-order.ts";
export { GarbageWatch } from "./garbage-watch.ts";
export { createRetainedMemory } from "./kept-memory.ts";
export { isOutOfMemory, MemoryLimitReached } from "./memory-limit.ts";
export { createMemoryPermits, HostMemory, MemoryShare } from "./memory-share.ts";
export { createCairoVm } from "./runner.ts";
export { unsupportedInLegacy } from "./cairo0/unsupported.ts";
export type {
  CairoVm,
  EntryPointRun,
  MaybeRelocatable,
  Relocatable,
  RunOutcome,
  StepBudget,
  SyscallHost,
  SyscallOutcome,
  VmFailureNotes,
  VmMemory,
} from "./types.ts";
