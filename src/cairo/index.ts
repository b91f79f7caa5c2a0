export { createCairoVm } from "./runner.ts";
export type {
  CairoProgram,
  CairoVm,
  CairoVmOptions,
  EntryPointRun,
  MaybeRelocatable,
  Relocatable,
  RunOutcome,
  StepBudget,
  SyscallHost,
  SyscallOutcome,
  VmFailure,
  VmMemory,
} from "./types.ts";
