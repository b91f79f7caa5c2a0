import { CellFlag, Layout } from "./abi.generated";

/**
 * Memory of the Cairo machine.
 *
 *     | static data | programs | stack of execution segments ->    <- segment heap |
 *
 * - programs: prepared programs, placed by the host.
 * - stack: the execution segment of each nested frame above its caller's, so that it never moves. An
 *   unwritten zone of GUARD bytes before and after each makes every address that an instruction can form from
 *   a register (16-bit offsets) safe to read. Skipped cells take only address space: stack.ts tracks the
 *   written pages.
 * - segment heap: segment tables, small segments, dictionaries. Grows downwards per frame; freed and cleared
 *   when the frame (one contract call) ends.
 *
 * Cell, 32 bytes: an integer as four canonical little-endian 64-bit limbs, or an address as (offset, segment,
 * 0, 0), with flags in the upper bits of the top limb. Unwritten cells are zero.
 *
 * Segment numbers count from 0 in each frame: program, execution, builtins, then others.
 *
 * Slot, 32 bytes, one per program cell:
 *
 *     +0  u8  handler (Handler.HINTS, HOST_HINTS or TEST_HINT if the cell has hints)
 *     +1  u8  handler without hints
 *     +2  u8  registers: bit 0 dst is fp, bit 1 op0 is fp, bit 2 op1 is fp
 *     +4  i32 dst offset in bytes
 *     +8  i32 op0 offset in bytes
 *     +12 i32 op1 offset in bytes
 *     +16 u32 address of the hints, 0 if none
 *     +20 i32 jumps: distance to the target in bytes; SUB_IMMEDIATE: subtrahend
 *     +24 u32 increment of ap, in bytes
 *     +28 u32 instruction size in bytes of slots (32 or 64)
 */

export const CELL: usize = Layout.CELL_BYTES;
export const KNOWN: u64 = CellFlag.KNOWN;
export const REL: u64 = CellFlag.REL;
export const ACCESSED: u64 = CellFlag.ACCESSED;
export const DERIVED: u64 = CellFlag.DERIVED;
/** Bits of the top limb that hold the value and its kind. */
export const CONTENT: u64 = ~(ACCESSED | DERIVED);
/** Bits of the top limb that hold an integer's value. */
export const VALUE: u64 = DERIVED - 1;

export const SLOT: usize = Layout.SLOT_BYTES;
export const GUARD: usize = Layout.GUARD_BYTES;

/**
 * Offsets from here on exceed any machine: at 32 bytes per cell they need more than 47 address bits, so the
 * reference machine fails too. Smaller offsets that do not fit exceed the limit of this machine only.
 */
export const IMPOSSIBLE_OFFSET: u64 = 1 << 42;

/** An empty cell outside of all segments; nothing is ever written to it. */
export const UNKNOWN: usize = memory.data(32, 16);

/** Entry of a segment table. */
@unmanaged
export class Segment {
  /** Address of cell 0; 0 before the first allocation. */
  base: usize;
  /** Number of allocated cells. */
  capacity: u32;
  /** Highest written offset plus one. */
  size: u32;
  kind: u32;
  /** Dictionary tracked for this segment, 0 if none. */
  dictionary: usize;
  /** 1 if the segment must keep its initial size. */
  readOnly: u32;
  /** Size at creation of a read-only segment. */
  initialSize: u32;
  unused: u32;
}
