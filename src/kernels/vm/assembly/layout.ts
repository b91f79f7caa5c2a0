import { CellFlag, Layout } from "./abi.generated";

/**
 * Memory of the Cairo machine.
 *
 *     | static data | programs | stack of execution segments ->    <- segment heap |
 *
 * - programs: prepared programs; the host places them.
 * - stack: the execution segment of each nested frame above that of its caller, so that it never
 *   has to move. An unwritten zone of GUARD bytes before and after each makes every address that an
 *   instruction can form from a register (16-bit offsets) safe to read. Cells that a program passes
 *   over are address space alone: stack.ts knows which pages are written.
 * - segment heap: segment tables, small segments, dictionaries. Grows downwards per frame, released
 *   and cleared when the frame (one contract call) ends.
 *
 * Cell, 32 bytes: an integer as four canonical little-endian 64-bit limbs, or an address as
 * (offset, segment, 0, 0), with flags in the upper bits of the top limb. Unwritten cells are zero.
 *
 * Segment numbers count from 0 in each frame: program, execution, builtins, the rest.
 *
 * Slot, 32 bytes, one per program cell:
 *
 *     +0  u8  handler (Handler.HINTS, HOST_HINTS or TEST_HINT when the cell has hints)
 *     +1  u8  handler without hints
 *     +2  u8  registers: bit 0 dst is fp, bit 1 op0 is fp, bit 2 op1 is fp
 *     +4  i32 dst offset in bytes
 *     +8  i32 op0 offset in bytes
 *     +12 i32 op1 offset in bytes
 *     +16 u32 address of the hints, 0 if none
 *     +20 i32 jumps: distance to the target in bytes; SUB_IMMEDIATE: what is subtracted
 *     +24 u32 what is added to ap, in bytes
 *     +28 u32 instruction size in bytes of slots (32 or 64)
 */

export const CELL: usize = Layout.CELL_BYTES;
export const KNOWN: u64 = CellFlag.KNOWN;
export const REL: u64 = CellFlag.REL;
export const ACCESSED: u64 = CellFlag.ACCESSED;
export const DERIVED: u64 = CellFlag.DERIVED;
/** The part of the top limb that belongs to the value and its kind. */
export const CONTENT: u64 = ~(ACCESSED | DERIVED);
/** The part of the top limb that belongs to an integer's value. */
export const VALUE: u64 = DERIVED - 1;

export const SLOT: usize = Layout.SLOT_BYTES;
export const GUARD: usize = Layout.GUARD_BYTES;

/**
 * Offsets from here on exist on no machine: 32 bytes a cell are more than 47 bits can address, so
 * that the reference machine fails too. Below, what does not fit is the limit of this machine.
 */
export const IMPOSSIBLE_OFFSET: u64 = 1 << 42;

/** A cell that is always unknown. */
export const UNKNOWN: usize = memory.data(32, 16);

/** Entry of a segment table. */
@unmanaged
export class Segment {
  /** Address of cell 0; 0 when nothing is allocated. */
  base: usize;
  /** Allocated cells. */
  capacity: u32;
  /** Highest written offset plus one. */
  size: u32;
  kind: u32;
  /** The dictionary tracked for this segment, 0 if none. */
  dictionary: usize;
  /** 1 when the segment must keep the size it got at its creation. */
  readOnly: u32;
  /** That size. */
  initialSize: u32;
  unused: u32;
}
