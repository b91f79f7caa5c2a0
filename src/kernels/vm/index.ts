export {
  BUILTIN_NAMES,
  BUILTINS,
  type BuiltinName,
  CAUSES,
  HINT_CODES,
  type HintCode,
  HINTS,
  type HostHintName,
  INSTRUCTION_FAULTS,
  LAYOUT,
  OPERAND,
  OPERAND_FORMS,
  type OperandForm,
  SEGMENT_KINDS,
  type VmCause,
} from "./abi.ts";
export { type Address, addressOf, type CellValue, CellView, writeFeltCell } from "./cells.ts";
export type { VmFailureRecord } from "./failure-record.ts";
export { FeltBlock, type Felts, feltsOf, hexSlicesOf, withFelt } from "./felt-block.ts";
export { FeltPool } from "./felt-pool.ts";
export type { VmHost } from "./host.ts";
export { INSTRUCTION, type InstructionFlags, instructionFlags } from "./instruction.ts";
export { compileMachine, VmKernel, type VmKernelOptions } from "./kernel.ts";
export type { PlacedProgram, ProgramImage } from "./program-area.ts";
