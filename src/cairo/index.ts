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
