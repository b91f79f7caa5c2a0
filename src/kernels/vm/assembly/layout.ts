/**
 * Memory of the Cairo machine.
 *
 *     | static data | segment heap | programs | stack of execution segments |
 *
 * - segment heap: segment tables, small segments, dictionaries. Grows upwards per frame, released
 *   and cleared when the frame (one contract call) ends.
 * - programs: prepared programs; the host places them.
 * - stack: the execution segment of each nested frame above that of its caller, so that it never
 *   has to move. An unwritten zone of GUARD bytes before and after each makes every address that an
 *   instruction can form from a register (16-bit offsets) safe to read.
 *
 * Cell, 32 bytes: an integer as four canonical little-endian 64-bit limbs, or an address as
 * (offset, segment, 0, 0), with flags in the upper bits of the top limb. Unwritten cells are zero.
 *
 * Segment numbers count from 0 in each frame: program, execution, builtins, the rest.
 *
 * Slot, 32 bytes, one per program cell:
 *
 *     +0  u8  handler (Handler.HINTS or TEST_HINT when the cell has hints)
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

export const CELL: usize = 32;
export const KNOWN: u64 = 1 << 63;
export const REL: u64 = 1 << 62;
export const ACCESSED: u64 = 1 << 61;
/** A builtin's cell that its rule has computed and that needs no check at the end. */
export const DERIVED: u64 = 1 << 60;
/** The part of the top limb that belongs to the value and its kind. */
export const CONTENT: u64 = ~(ACCESSED | DERIVED);
/** The part of the top limb that belongs to an integer's value. */
export const VALUE: u64 = DERIVED - 1;

export const SLOT: usize = 32;

/** 2^16 cells: any 16-bit offset from a register stays inside. */
export const GUARD: usize = 1 << 21;

/**
 * Offsets from here on exist on no machine: 32 bytes a cell are more than 47 bits can address, so
 * that the reference machine fails too. Below, what does not fit is the limit of this machine.
 */
export const IMPOSSIBLE_OFFSET: u64 = 1 << 42;

/** Deepest nesting of frames. */
export const MAX_FRAMES: u32 = 64;

/** What a segment is for; values are shared with the host (src/kernels/vm/kernel.ts). */
export namespace Kind {
  export const PLAIN: u32 = 0;
  export const RANGE_CHECK: u32 = 1;
  export const RANGE_CHECK96: u32 = 2;
  export const PEDERSEN: u32 = 3;
  export const BITWISE: u32 = 4;
  export const EC_OP: u32 = 5;
  export const POSEIDON: u32 = 6;
  export const KECCAK: u32 = 7;
  export const ECDSA: u32 = 8;
  export const SEGMENT_ARENA: u32 = 9;
  export const ADD_MOD: u32 = 10;
  export const MUL_MOD: u32 = 11;
  export const OUTPUT: u32 = 12;
  export const PROGRAM: u32 = 13;
  export const EXECUTION: u32 = 14;
}

export namespace Handler {
  export const SLOW: u32 = 0;
  export const HINTS: u32 = 1;
  export const ASSERT_IMMEDIATE: u32 = 2;
  export const ASSERT_CELL: u32 = 3;
  export const ASSERT_DEREFERENCE: u32 = 4;
  export const ADD_IMMEDIATE: u32 = 5;
  export const ADD: u32 = 6;
  export const MUL_IMMEDIATE: u32 = 7;
  export const MUL: u32 = 8;
  export const JUMP: u32 = 9;
  export const JUMP_IF: u32 = 10;
  export const CALL: u32 = 11;
  export const RETURN: u32 = 12;
  export const ADVANCE_AP: u32 = 13;
  export const JUMP_TABLE: u32 = 14;
  /** Like HINTS, when the only hint compares cells or constants. */
  export const TEST_HINT: u32 = 15;
  /** [dst] = [op0] - k for 0 < k < 2^31, k at +20. */
  export const SUB_IMMEDIATE: u32 = 16;
}

/** How run() came back; shared with the host. */
export namespace Status {
  export const SLICE: u32 = 0;
  export const DONE: u32 = 1;
  export const FAILED: u32 = 2;
}

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

/**
 * Program counters from here on are outside of every segment: all are kept as this one, and the exact
 * one in a field of its own, for error texts.
 */
export const FAR_PC: u32 = 0xffffffff;

/** State of the running frame; saved and restored as a block of bytes when frames nest. */
@unmanaged
export class Frame {
  /** Registers: ap and fp are addresses of cells. */
  ap: usize;
  fp: usize;
  pc: u32;
  pcSegment: u32;
  /** Cell 0 of the execution segment, one past its highest written cell, and its limit. */
  stackBase: usize;
  stackTop: usize;
  stackEnd: usize;
  segments: usize;
  segmentCount: u32;
  segmentCapacity: u32;
  /** Program: slots, cells, number of cells with the two extra ones. */
  slots: usize;
  cells: usize;
  length: u32;
  /** The run ends when pc is (endSegment, 0). */
  endSegment: u32;
  steps: u64;
  /** What steps may grow to. */
  stepLimit: u64;
  /** Steps that a part of a run has left over. */
  left: u32;
  /** Whether accesses are marked, to count memory holes. */
  marks: u32;
  /** First byte of this frame on the segment heap. */
  heapStart: usize;
  /** Head of the free chunks per size class (powers of two from 2^5 bytes). */
  free0: usize;
  free1: usize;
  free2: usize;
  free3: usize;
  free4: usize;
  free5: usize;
  free6: usize;
  free7: usize;
  free8: usize;
  free9: usize;
  free10: usize;
  free11: usize;
  free12: usize;
  free13: usize;
  free14: usize;
  free15: usize;
  free16: usize;
  free17: usize;
  free18: usize;
  free19: usize;
  free20: usize;
  free21: usize;
  free22: usize;
  free23: usize;
  free24: usize;
  free25: usize;
  free26: usize;
  /** AllocConstantSize: segment number plus one (0: not made yet) and next offset in it. */
  constantSegment: u32;
  constantNext: u64;
  dictionaryCount: u32;
  excludedArc: u32;
  /** Squash (squash.ts): sorted access numbers, their count, current group [position, end). */
  squash: usize;
  squashClass: u32;
  squashCount: u32;
  squashPosition: u32;
  squashEnd: u32;
  squashSegment: u64;
  squashOffset: u64;
  blakeCount: u32;
  /** The program counter where {@link pc} is FAR_PC. */
  farPc: u64;
  /**
   * Offset of the allocation pointer when it lies beyond what the stack can hold, else 0: nothing can
   * be written there, but it can come back. `ap` then has no meaning.
   */
  farAp: u64;
  /** Whether a random point was handed out; the last one, x and y. */
  hasPoint: u32;
  point0: u64;
  point1: u64;
  point2: u64;
  point3: u64;
  point4: u64;
  point5: u64;
  point6: u64;
  point7: u64;
}

export const FRAME_BYTES: usize = offsetof<Frame>();

const STATE: usize = memory.data(512, 16);

/** The running frame. */
export const F: Frame = changetype<Frame>(STATE);

/** The exact program counter of the running frame. */
export function exactPc(): u64 {
  return F.pc == FAR_PC ? F.farPc : u64(F.pc);
}

/** Offset of the allocation pointer in the execution segment. */
export function apOffset(): u64 {
  return F.farAp != 0 ? F.farAp : u64((F.ap - F.stackBase) >> 5);
}

/** A cell that is always unknown. */
export const UNKNOWN: usize = memory.data(32, 16);

/** Asks the host to raise the budget (setBudget); 0 when it stays as it is. */
declare function moreMemory(): u32;

/** Where the parts of the memory lie; all frames together. */
export namespace Regions {
  export let heapStart: usize = 0;
  export let heapTop: usize = 0;
  export let heapEnd: usize = 0;
  /** Most bytes that heap and stack had in use when a frame ended. */
  export let peak: usize = 0;
  export let stackStart: usize = 0;
  export let stackEnd: usize = 0;
  /** Bytes that segment heap and stack may take together, unwritten zones not counted. */
  export let budget: usize = 0;
  export let depth: u32 = 0;
  export let frames: usize = 0;

  /** Bytes of the budget that remain when the stack of the running frame ends at `top`. */
  export function room(top: usize): usize {
    const used = top - stackStart - usize(depth) * GUARD + (heapTop - heapStart);
    return used < budget ? budget - used : 0;
  }

  /** As {@link room}, after the host was asked for more when less than `bytes` is left. */
  export function roomFor(bytes: usize, top: usize): usize {
    const left = room(top);
    return left < bytes && moreMemory() != 0 ? room(top) : left;
  }

  /** Bytes that frames span now, guards not counted. */
  export function used(top: usize): usize {
    return depth == 0 ? 0 : top - stackStart - usize(depth) * GUARD + (heapTop - heapStart);
  }
}

/** Saves the running frame on top of the others. */
export function saveFrame(): void {
  memory.copy(Regions.frames + usize(Regions.depth) * FRAME_BYTES, STATE, FRAME_BYTES);
}

/** Makes the frame below the one that ended the running one. */
export function restoreFrame(): void {
  memory.copy(STATE, Regions.frames + usize(Regions.depth) * FRAME_BYTES, FRAME_BYTES);
}

export function clearFrame(): void {
  memory.fill(STATE, 0, FRAME_BYTES);
}

/** Address of the last random point of the running frame. */
export function pointOfFrame(): usize {
  return STATE + offsetof<Frame>("point0");
}

/** Address of a free list head of the running frame. */
export function freeList(sizeClass: u32): usize {
  return STATE + offsetof<Frame>("free0") + usize(sizeClass) * sizeof<usize>();
}
