import { Layout } from "./abi.generated";
import { F } from "./frame";
import { ACCESSED, GUARD } from "./layout";
import { Regions } from "./regions";
import { Cost, Work } from "./work";

const PAGE_BITS: usize = Layout.PAGE_BITS;
const PAGE: usize = 1 << PAGE_BITS;

/** A gap of at least this many bytes gets no memory. */
const SPARSE_BYTES: usize = usize(Layout.SPARSE_CELLS) << 5;

/** A write this close below the dense part extends the dense part. */
const NEAR_BYTES: usize = 1 << 17;

/** Bit of a page's byte: a frame that has not ended has written to the page. */
const TOUCHED: u8 = 1;
/** Bit of a page's byte: a frame that has ended wrote to the page, so its memory is resident. */
const RESIDENT: u8 = 2;

/** {@link TOUCHED} of eight pages. */
const ALL_TOUCHED: u64 = 0x0101010101010101;

/**
 * Tracks the touched pages of execution segments.
 *
 * A segment is nearly always dense: all cells from its first to its highest written one. When a frame leaves
 * a gap of many cells (the locals of a function may be a large unwritten array), its written part is marked
 * page by page, and a new dense part starts after the gap. The interpreter's loop writes only to the dense
 * part; writes below go through {@link Stack.place}.
 */
export class Stack {
  /** One byte per page, from Regions.stackStart on. */
  private static pages: usize = 0;
  /** Maximum bytes that frames without gaps had written at the end of one. */
  private static denseBytes: usize = 0;
  /** Total bytes of the pages that frames with gaps have ever written to. */
  private static sparseBytes: usize = 0;

  /** Allocates the marks for `bytes`; call it once. */
  static initialize(bytes: usize): void {
    Stack.pages = heap.alloc((bytes >> PAGE_BITS) + 16);
  }

  /** Bytes of execution segments that stay resident after clearing. */
  static resident(): usize {
    return Stack.denseBytes + Stack.sparseBytes;
  }

  /** Bytes of execution segments written by the frames up to the running one. */
  static used(): usize {
    const dense = F.stackTop > F.denseStart ? F.stackTop - F.denseStart : 0;
    return F.belowBytes + F.sparseBytes + dense;
  }

  /** Prepares an unknown cell for writing. Returns `false` if memory is used up. */
  static place(cell: usize): bool {
    if (cell < F.denseStart) return Stack.touch(cell);
    if (!Stack.pass(cell)) return false;
    // An instruction may reach into the guard.
    return cell < F.stackEnd + GUARD || Stack.reach(cell - GUARD + 32);
  }

  /** Whether a register may point to an address, after requesting more memory from the host. */
  static move(to: usize): bool {
    return to <= Regions.registerEnd() && Stack.pass(to) && Stack.reach(to);
  }

  /** Address from which the room of the running frame is counted. */
  @inline
  static base(): usize {
    return max(F.ap, F.denseStart);
  }

  private static reach(end: usize): bool {
    if (end > F.stackEnd) {
      const base = Stack.base();
      F.stackEnd = base + Regions.roomFor(end > base ? end - base : 0, base);
    }
    return end <= F.stackEnd;
  }

  /** Starts a new dense part at an address far above all memory in use. */
  private static pass(to: usize): bool {
    if (to <= max(F.stackTop, Stack.base()) + SPARSE_BYTES) return true;
    if (to > Regions.registerEnd()) return false;
    Stack.mark(F.denseStart, F.stackTop);
    F.denseStart = to;
    F.hasGaps = 1;
    return Regions.roomFor(PAGE, to) >= PAGE;
  }

  /** Marks the pages of a range, of which only the first may already be marked. */
  private static mark(from: usize, to: usize): void {
    if (to <= from) return;
    const first = Stack.pageOf(from);
    const count = Stack.pageOf(to - 1) - first + 1;
    F.sparseBytes += (count - usize(load<u8>(first) & TOUCHED)) << PAGE_BITS;
    for (let page = first; page < first + count; page++) {
      store<u8>(page, load<u8>(page) | TOUCHED);
    }
  }

  /** Address of the byte of an address's page. */
  @inline
  private static pageOf(address: usize): usize {
    return Stack.pages + ((address - Regions.stackStart) >> PAGE_BITS);
  }

  /** Counts and marks the page of a cell below the dense part. */
  private static touch(cell: usize): bool {
    const page = Stack.pageOf(cell);
    if ((load<u8>(page) & TOUCHED) != 0) return true;
    if (F.denseStart - cell <= NEAR_BYTES) return Stack.lower(page);
    if (Regions.roomFor(PAGE, Stack.base()) < PAGE) return false;
    store<u8>(page, load<u8>(page) | TOUCHED);
    F.sparseBytes += PAGE;
    return true;
  }

  /** Moves the start of the dense part down to a page, so that later writes there take the fast path. */
  private static lower(page: usize): bool {
    const address = Regions.stackStart + ((page - Stack.pages) << PAGE_BITS);
    const start = max(address, F.stackBase);
    const bytes = F.denseStart - start;
    if (Regions.roomFor(bytes, Stack.base()) < bytes) return false;
    const end = Stack.pageOf(F.denseStart - 1);
    for (let each = page; each <= end; each++) {
      const state = load<u8>(each);
      F.sparseBytes -= usize(state & TOUCHED) << PAGE_BITS;
      store<u8>(each, state & ~TOUCHED);
    }
    F.denseStart = start;
    return true;
  }

  /** Clears what the running frame has written to its execution segment. */
  static clear(): void {
    const dense = F.stackTop > F.denseStart ? F.stackTop - F.denseStart : 0;
    if (F.hasGaps == 0) {
      Stack.denseBytes = max(Stack.denseBytes, F.belowBytes + dense);
      Work.clear(F.denseStart, dense);
      return;
    }
    Stack.mark(F.denseStart, F.stackTop);
    const start = Stack.pageOf(F.stackBase);
    const end = Stack.pageOf(max(F.stackTop, F.denseStart));
    for (let page = start; page <= end; page++) {
      if (page + 8 <= end && (load<u64>(page) & ALL_TOUCHED) == 0) {
        page += 7;
        continue;
      }
      const state = load<u8>(page);
      if ((state & TOUCHED) == 0) continue;
      if ((state & RESIDENT) == 0) Stack.sparseBytes += PAGE;
      const address = Regions.stackStart + ((page - Stack.pages) << PAGE_BITS);
      Work.clear(address, PAGE);
      Work.add(Cost.COMPARE);
      store<u8>(page, RESIDENT);
    }
    // If the work is resumed after an abort, everything is already clear.
    F.stackTop = F.stackBase;
    F.denseStart = F.stackBase;
    F.sparseBytes = 0;
    F.hasGaps = 0;
  }

  /** Number of accessed cells in the running frame's execution segment. */
  static accessed(): u32 {
    let count = Stack.accessedIn(F.denseStart, F.stackTop);
    if (F.hasGaps == 0) return count;
    const end = Stack.pageOf(F.denseStart);
    for (let page = Stack.pageOf(F.stackBase); page <= end; page++) {
      if ((load<u8>(page) & TOUCHED) == 0) continue;
      const address = Regions.stackStart + ((page - Stack.pages) << PAGE_BITS);
      count += Stack.accessedIn(max(address, F.stackBase), min(address + PAGE, F.denseStart));
    }
    return count;
  }

  /** Number of accessed cells in an address range. */
  static accessedIn(from: usize, to: usize): u32 {
    let count: u32 = 0;
    for (let cell = from; cell < to; cell += 32) {
      count += u32((load<u64>(cell, 24) & ACCESSED) != 0);
      Work.add(Cost.CELL);
    }
    return count;
  }
}
