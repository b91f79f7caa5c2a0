export { type Address, addressOf, type CellValue, CellView, writeFeltCell } from "./cells.ts";
export { FeltBlock, type Felts, feltsOf, withFelt } from "./felt-block.ts";
export {
  MAX_FRAMES,
  type VmFailureRecord,
  type VmHost,
  VmKernel,
  type VmKernelOptions,
} from "./kernel.ts";
export type { PlacedProgram, ProgramImage } from "./program-area.ts";
