import { Kind, Layout } from "./abi.generated";
import { Cells } from "./cells";
import { clearFrame, F, FRAME_BYTES, restoreFrame, saveFrame } from "./frame";
import { ACCESSED, CELL, GUARD } from "./layout";
import { Regions } from "./regions";
import { Cost, Work } from "./work";

/** Beginning and end of frames, and the final counts of a run. */
export class Frames {
  /**
   * Takes the kernel's memory; once. Returns the address of the area for programs.
   *
   * @param heapBytes - what of the budget the segment heap can take at most, whole pages
   */
  static initialize(cellBytes: usize, heapBytes: usize, programBytes: usize): usize {
    Regions.frames = heap.alloc(usize(Layout.MAX_FRAMES) * FRAME_BYTES);
    Regions.budget = cellBytes;
    const programAreaBytes = Frames.wholePages(programBytes);
    const stackBytes = cellBytes + usize(Layout.MAX_FRAMES + 2) * GUARD;
    Regions.heapStart = Frames.region(heapBytes + programAreaBytes + stackBytes);
    Regions.heapTop = Regions.heapStart;
    Regions.heapEnd = Regions.heapStart + heapBytes;
    const programs = Regions.heapEnd;
    Regions.stackStart = programs + programAreaBytes;
    Regions.stackEnd = Regions.stackStart + stackBytes;
    return programs;
  }

  private static wholePages(bytes: usize): usize {
    return (bytes + 0xffff) & ~0xffff;
  }

  /**
   * Address space above all of the allocator, which is not asked again after the module's start. It
   * takes no memory before it is touched. Aligned to pages of 64 KiB, zeros. To be taken at once: the
   * engine gives only the first few instances of a process memory that grows in place. For others it
   * copies, and so touches, all that was there before.
   */
  private static region(bytes: usize): usize {
    const pages = i32(Frames.wholePages(bytes) >> 16);
    const start = memory.grow(pages);
    if (start < 0) abort("no memory for the machine");
    return usize(start) << 16;
  }

  /**
   * Begins a frame over a prepared program: segment 0 is the program, 1 the execution segment.
   *
   * @returns false when frames are nested too deeply or memory is used up
   */
  static begin(slots: usize, cells: usize, length: u32, marks: u32): bool {
    if (Regions.depth >= Layout.MAX_FRAMES) return false;
    const base = (Regions.depth == 0 ? Regions.stackStart : (F.stackTop + 63) & ~63) + GUARD;
    saveFrame();
    Regions.depth++;
    clearFrame();
    F.heapStart = Regions.heapTop;
    F.stackBase = base;
    F.stackTop = base;
    F.stackEnd = base;
    F.ap = base;
    F.fp = base;
    F.slots = slots;
    F.cells = cells;
    F.length = length;
    F.marks = marks;
    if (Cells.addSegment(Kind.PROGRAM) < 0 || Cells.addSegment(Kind.EXECUTION) < 0) {
      Frames.end(true);
      return false;
    }
    const program = Cells.segment(0);
    program.base = cells;
    program.capacity = length;
    program.size = length;
    const execution = Cells.segment(1);
    execution.base = base;
    execution.capacity = u32((Regions.stackEnd - base) / CELL);
    return true;
  }

  /**
   * Goes back to the frame below the running one and clears what that one used.
   *
   * @param clear - false for an instance that is dropped: nothing more may run on it
   */
  static end(clear: bool): void {
    const used = Regions.used(F.stackTop);
    if (used > Regions.peak) Regions.peak = used;
    const heap = F.heapStart;
    const heapBytes = Regions.heapTop - heap;
    const stack = F.stackBase;
    const stackBytes = F.stackTop - stack;
    Regions.heapTop = heap;
    Regions.depth--;
    restoreFrame();
    if (!clear) return;
    Work.clear(heap, heapBytes);
    Work.clear(stack, stackBytes);
  }

  /** Marks `count` cells as accessed. */
  static mark(segment: u32, offset: u32, count: u32): void {
    const size = Cells.size(u64(segment));
    const end = min(offset + count, size);
    for (let i = offset; i < end; i++) {
      const cell = Cells.at(u64(segment), u64(i));
      store<u64>(cell, load<u64>(cell, 24) | ACCESSED, 24);
    }
  }

  /** Cells that were neither accessed nor lie in a segment without any access or of a builtin. */
  static holes(): u32 {
    let holes: u32 = 0;
    for (let i: u64 = 1; i < u64(F.segmentCount); i++) {
      const entry = Cells.segment(i);
      if (entry.kind != Kind.PLAIN && entry.kind != Kind.EXECUTION && entry.kind != Kind.OUTPUT) {
        continue;
      }
      const size = Cells.size(i);
      let accessed: u32 = 0;
      const end = entry.base + (usize(size) << 5);
      for (let cell = entry.base; cell < end; cell += 32) {
        accessed += u32((load<u64>(cell, 24) >> 61) & 1);
        Work.add(Cost.CELL);
      }
      if (accessed > 0) holes += size - accessed;
    }
    return holes;
  }
}
