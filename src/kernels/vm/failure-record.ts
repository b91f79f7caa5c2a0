import { CAUSES, FAILURE_RECORD, type VmCause } from "./abi.ts";
import { type Address, addressOf, type CellValue, type CellView, readCell } from "./cells.ts";

/** Failure recorded by the kernel. */
export interface VmFailureRecord {
  readonly cause: VmCause;
  readonly inHint: boolean;
  /** Number whose meaning depends on the cause: bits, a kind of segment, a fault of an instruction. */
  readonly detail: number;
  /** Address in addition to the two cells. */
  readonly extra: Address;
  readonly first: CellValue;
  readonly second: CellValue;
}

const CAUSE_NAMES = Object.keys(CAUSES) as readonly VmCause[];

/** Reads the failure record at an address of the kernel's memory. */
export function readFailureRecord(cells: CellView, at: number): VmFailureRecord {
  const { view } = cells;
  const { CAUSE, IN_HINT, DETAIL, EXTRA, FIRST, SECOND } = FAILURE_RECORD;
  const extra = at + EXTRA;
  return {
    cause: CAUSE_NAMES[view.getUint32(at + CAUSE, true)] ?? "none",
    inHint: view.getUint32(at + IN_HINT, true) !== 0,
    detail: view.getUint32(at + DETAIL, true),
    extra: addressOf(Number(view.getBigUint64(extra, true)), view.getBigUint64(extra + 8, true)),
    first: readCell(cells, (at + FIRST) >>> 3),
    second: readCell(cells, (at + SECOND) >>> 3),
  };
}
