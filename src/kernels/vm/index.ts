export {
  type Address,
  addressOf,
  type CellValue,
  CellView,
  readCell,
  writeAddressCell,
  writeFeltCell,
} from "./cells.ts";
export { FeltBlock, type Felts, feltsOf, withFelt } from "./felt-block.ts";
export {
  MAX_CELL_BYTES,
  MAX_FRAMES,
  SEGMENT_KINDS,
  type SegmentKind,
  type VmFailureRecord,
  type VmHost,
  VmKernel,
  type VmKernelOptions,
  type VmStatus,
} from "./kernel.ts";
export type { PlacedProgram, ProgramImage } from "./program-area.ts";
