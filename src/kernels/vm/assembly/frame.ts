import { Regions } from "./regions";

/**
 * Program counters from here on are outside of every segment. All are stored as this value; a separate field
 * holds the exact one for error texts.
 */
export const FAR_PC: u32 = 0xffffffff;

/** State of the running frame; saved and restored as a block of bytes for nested frames. */
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
  /** From here to stackTop everything counts as written; below, only marked pages do (stack.ts). */
  denseStart: usize;
  /** Bytes of marked pages, and bytes written by the frames below the running one. */
  sparseBytes: usize;
  belowBytes: usize;
  /** Whether this execution segment, or one below it, has gaps. */
  hasGaps: u32;
  segments: usize;
  segmentCount: u32;
  segmentCapacity: u32;
  /** Program: slots, cells, number of cells including the two extra ones. */
  slots: usize;
  cells: usize;
  length: u32;
  /** The run ends when pc is (endSegment, 0). */
  endSegment: u32;
  steps: u64;
  /** Upper limit of `steps`. */
  stepLimit: u64;
  /** Remaining steps of a slice. */
  left: u32;
  /** Whether accesses are marked, to count memory holes. */
  marks: u32;
  /** End of this frame's part of the segment heap. */
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
  /** AllocConstantSize: segment number plus one (0 before its creation) and next offset in it. */
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
  /** Exact program counter if {@link pc} is FAR_PC. */
  farPc: u64;
  /**
   * Offset of the allocation pointer while it is beyond the stack's maximum, else 0. Nothing can be written
   * there, but the pointer can come back. `ap` is then meaningless.
   */
  farAp: u64;
  /** Whether a random point was generated; the last one, x and y. */
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

/** Exact program counter of the running frame. */
export function exactPc(): u64 {
  return F.pc == FAR_PC ? F.farPc : u64(F.pc);
}

/** Offset of the allocation pointer in the execution segment. */
export function apOffset(): u64 {
  return F.farAp != 0 ? F.farAp : u64((F.ap - F.stackBase) >> 5);
}

/** Pushes the running frame onto the saved frames. */
export function saveFrame(): void {
  memory.copy(Regions.frames + usize(Regions.depth) * FRAME_BYTES, STATE, FRAME_BYTES);
}

/** Restores the frame below the one that ended. */
export function restoreFrame(): void {
  memory.copy(STATE, Regions.frames + usize(Regions.depth) * FRAME_BYTES, FRAME_BYTES);
}

export function clearFrame(): void {
  memory.fill(STATE, 0, FRAME_BYTES);
}

/**
 * Address of the running frame's last random curve point: x, then y, 32 bytes each. The hint that generates
 * such points derives the next one from it; see {@link Frame.hasPoint}.
 */
export function pointOfFrame(): usize {
  return STATE + offsetof<Frame>("point0");
}

/** Number of size classes of a frame's heap; each has a list of free pieces. */
export const FREE_LISTS: u32 = 27;

/** Address of a free list head of the running frame. */
export function freeList(sizeClass: u32): usize {
  return STATE + offsetof<Frame>("free0") + usize(sizeClass) * sizeof<usize>();
}
