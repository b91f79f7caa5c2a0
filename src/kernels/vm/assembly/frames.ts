import { Kind, Layout } from "./abi.generated";
import { BaseTables } from "../../field/assembly/base-tables";
import { Cells } from "./cells";
import { clearFrame, F, FRAME_BYTES, restoreFrame, saveFrame } from "./frame";
import { Heap } from "./heap";
import { ACCESSED, GUARD } from "./layout";
import { Regions } from "./regions";
import { Stack } from "./stack";
import { Work } from "./work";

/** Start and end of frames, and the final counts of a run. */
export class Frames {
  /**
   * Allocates the kernel's memory; call it once. Returns the address of the area for programs.
   *
   * @param cellBytes - joint span of execution segments and the segment heap, whole pages
   */
  static initialize(cellBytes: usize, programBytes: usize): usize {
    Regions.frames = heap.alloc(usize(Layout.MAX_FRAMES) * FRAME_BYTES);
    const programAreaBytes = Frames.wholePages(programBytes);
    const spanBytes = cellBytes + usize(Layout.GUARDS) * GUARD;
    Stack.initialize(spanBytes);
    const tables = Frames.region(BaseTables.BYTES + programAreaBytes + spanBytes);
    BaseTables.place(tables);
    const programs = tables + BaseTables.BYTES;
    Regions.stackStart = programs + programAreaBytes;
    Regions.heapEnd = Regions.stackStart + spanBytes;
    Regions.heapLow = Regions.heapEnd;
    return programs;
  }

  private static wholePages(bytes: usize): usize {
    return (bytes + 0xffff) & ~0xffff;
  }

  /**
   * Allocates address space above the allocator's, which is not used after the module's start. Unused pages
   * take no memory. Aligned to pages of 64 KiB, zeros.
   *
   * It must be allocated in one step: the engine lets memory grow in place only for the first few instances
   * of a process. For others it copies, and so touches, all existing memory.
   */
  private static region(bytes: usize): usize {
    const pages = i32(Frames.wholePages(bytes) >> 16);
    const start = memory.grow(pages);
    if (start < 0) abort("no memory for the machine");
    return usize(start) << 16;
  }

  /**
   * Starts a frame over a prepared program: segment 0 is the program, 1 the execution segment.
   *
   * @returns `false` if frames are nested too deeply or memory is used up
   */
  static begin(slots: usize, cells: usize, length: u32, marks: u32): bool {
    if (Regions.depth >= Layout.MAX_FRAMES) return false;
    const base = (Regions.depth == 0 ? Regions.stackStart : (F.stackTop + 63) & ~63) + GUARD;
    if (base > Regions.registerEnd()) return false;
    const belowBytes: usize = Regions.depth == 0 ? 0 : Stack.used();
    const hasGaps = Regions.depth == 0 ? 0 : F.hasGaps;
    saveFrame();
    Regions.depth++;
    clearFrame();
    F.heapStart = Regions.heapLow;
    F.stackBase = base;
    F.stackTop = base;
    F.stackEnd = base;
    F.denseStart = base;
    F.belowBytes = belowBytes;
    F.hasGaps = hasGaps;
    F.ap = base;
    F.fp = base;
    F.slots = slots;
    F.cells = cells;
    F.length = length;
    F.marks = marks;
    if (Cells.addSegment(Kind.PROGRAM) < 0 || Cells.addSegment(Kind.EXECUTION) < 0) {
      Frames.end();
      return false;
    }
    const program = Cells.segment(0);
    program.base = cells;
    program.capacity = length;
    program.size = length;
    const execution = Cells.segment(1);
    execution.base = base;
    Cells.fitExecution();
    return true;
  }

  /** Maximum bytes that frames had touched at the end of one, since the host last read it. */
  static peak: usize = 0;

  /** Bytes of cells that stay resident after clearing. */
  static resident(): usize {
    return Heap.peak + Stack.resident();
  }

  /**
   * Clears the memory of the running frame and returns to the one below. If the host aborts it midway, the
   * frame still exists and can be ended again.
   */
  static end(): void {
    Frames.peak = max(Frames.peak, Regions.used(F.stackTop));
    Heap.clear();
    Stack.clear();
    Regions.heapLow = F.heapStart;
    Regions.depth--;
    restoreFrame();
  }

  /** Ends all frames in any state, without calling the host. */
  static reset(): void {
    Work.isMuted = true;
    while (Regions.depth > 0) Frames.end();
    Work.isMuted = false;
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

  /**
   * Number of written or skipped cells without access, in plain, execution and output segments that have any
   * access.
   */
  static holes(): u32 {
    let holes: u32 = 0;
    for (let i: u64 = 1; i < u64(F.segmentCount); i++) {
      const entry = Cells.segment(i);
      if (entry.kind != Kind.PLAIN && entry.kind != Kind.EXECUTION && entry.kind != Kind.OUTPUT) {
        continue;
      }
      const size = Cells.size(i);
      const end = entry.base + (usize(size) << 5);
      const accessed = i == 1 ? Stack.accessed() : Stack.accessedIn(entry.base, end);
      if (accessed > 0) holes += size - accessed;
    }
    return holes;
  }
}
