export {
  DEFAULT_MEMORY_BYTES,
  isOutOfMemory,
  MemoryLimitReached,
  type MemoryLimits,
} from "./memory-limit.ts";
export { createMemoryPermits, HostMemory, MemoryShare } from "./memory-share.ts";
export { createCairoVm } from "./runner.ts";
export type {
  CairoProgram,
  CairoVm,
  CairoVmOptions,
  EntryPointRun,
  LegacyRun,
  MaybeRelocatable,
  Relocatable,
  RunOutcome,
  StepBudget,
  SyscallHost,
  SyscallOutcome,
  VmFailure,
  VmFailureNotes,
  VmMemory,
} from "./types.ts";
