import { Cause, Kind, Layout } from "./abi.generated";
import { Failure } from "./failure";
import { F, freeList } from "./frame";
import {
  CELL,
  CONTENT,
  GUARD,
  IMPOSSIBLE_OFFSET,
  KNOWN,
  REL,
  Segment,
  UNKNOWN,
  VALUE,
} from "./layout";
import { Regions } from "./regions";
import { Stack } from "./stack";
import { Work } from "./work";
import { validateSignature } from "./host";

/**
 * Static functions that read and write single cells by address, find a segment's cells, and allocate segments
 * in the heap.
 */
export class Cells {
  @inline
  static isKnown(cell: usize): bool {
    return load<u64>(cell, 24) >> 63 != 0;
  }

  /** Whether a known cell holds an address. */
  @inline
  static isAddress(cell: usize): bool {
    return (load<u64>(cell, 24) & REL) != 0;
  }

  /** Copies a cell's content without the access mark. */
  @inline
  static copy(to: usize, from: usize): void {
    store<u64>(to, load<u64>(from));
    store<u64>(to, load<u64>(from, 8), 8);
    store<u64>(to, load<u64>(from, 16), 16);
    store<u64>(to, load<u64>(from, 24) & CONTENT, 24);
  }

  /** Copies an integer cell's value without flags, as field functions require. */
  @inline
  static value(to: usize, from: usize): void {
    store<u64>(to, load<u64>(from));
    store<u64>(to, load<u64>(from, 8), 8);
    store<u64>(to, load<u64>(from, 16), 16);
    store<u64>(to, load<u64>(from, 24) & VALUE, 24);
  }

  /** Turns a bare value into a known integer cell. */
  @inline
  static flag(cell: usize): void {
    store<u64>(cell, load<u64>(cell, 24) | KNOWN, 24);
  }

  @inline
  static setNumber(cell: usize, value: u64): void {
    store<u64>(cell, value);
    store<u64>(cell, 0, 8);
    store<u64>(cell, 0, 16);
    store<u64>(cell, KNOWN, 24);
  }

  @inline
  static setAddress(cell: usize, segment: u64, offset: u64): void {
    Failure.setAddress(cell, segment, offset);
  }

  @inline
  static same(a: usize, b: usize): bool {
    return (
      ((load<u64>(a) ^ load<u64>(b)) |
        (load<u64>(a, 8) ^ load<u64>(b, 8)) |
        (load<u64>(a, 16) ^ load<u64>(b, 16)) |
        ((load<u64>(a, 24) ^ load<u64>(b, 24)) & CONTENT)) ==
      0
    );
  }

  @inline
  static isU64(cell: usize): bool {
    return (load<u64>(cell, 8) | load<u64>(cell, 16) | (load<u64>(cell, 24) & VALUE)) == 0;
  }

  @inline
  static segment(index: u64): Segment {
    return changetype<Segment>(F.segments + usize(index) * offsetof<Segment>());
  }

  /** Returns the cell at an address; an always unknown cell for addresses that were never written. */
  static at(segment: u64, offset: u64): usize {
    if (segment >= u64(F.segmentCount)) return UNKNOWN;
    const entry = Cells.segment(segment);
    if (offset >= u64(entry.capacity)) return UNKNOWN;
    return entry.base + (usize(offset) << 5);
  }

  /** Size of a segment: highest written offset plus one. */
  static size(segment: u64): u32 {
    if (segment == 1) return u32((F.stackTop - F.stackBase) >> 5);
    return Cells.segment(segment).size;
  }

  /**
   * Writes a known cell's content. Returns `false` with a recorded failure on a conflict, an address outside
   * of any segment, a value that the segment's builtin refuses, or too much memory.
   */
  static write(segment: u64, offset: u64, from: usize): bool {
    if (segment >= u64(F.segmentCount)) {
      return Failure.addressAndNumber(Cause.UNALLOCATED, segment, offset, u64(F.segmentCount));
    }
    const entry = Cells.segment(segment);
    if (offset >= u64(entry.capacity) && !Cells.grow(entry, offset)) return false;
    const cell = entry.base + (usize(offset) << 5);
    if (Cells.isKnown(cell)) {
      if (Cells.same(cell, from)) return true;
      Failure.cells(Cause.INCONSISTENT, cell, from);
      Failure.setExtra(segment, offset);
      return false;
    }
    const kind = entry.kind;
    if (kind == Kind.RANGE_CHECK || kind == Kind.RANGE_CHECK96) {
      if (!Cells.checkRange(kind, segment, offset, from)) return false;
    }
    if (kind == Kind.EXECUTION && !Stack.place(cell)) return Failure.plain(Cause.MEMORY_LIMIT);
    Cells.copy(cell, from);
    if (kind == Kind.EXECUTION) {
      if (cell >= F.stackTop) F.stackTop = cell + 32;
    } else if (u32(offset) >= entry.size) {
      entry.size = u32(offset) + 1;
    }
    if (kind == Kind.ECDSA && validateSignature(u32(segment), u32(offset)) != 0) {
      return Failure.plain(Cause.HOST);
    }
    return true;
  }

  private static checkRange(kind: u32, segment: u64, offset: u64, from: usize): bool {
    if (Cells.isAddress(from)) {
      return Failure.address(Cause.RANGE_NOT_INTEGER, segment, offset);
    }
    let high = load<u64>(from, 16) | (load<u64>(from, 24) & VALUE);
    if (kind == Kind.RANGE_CHECK96) high |= load<u64>(from, 8) >> 32;
    if (high == 0) return true;
    Failure.detail = kind == Kind.RANGE_CHECK96 ? 96 : 128;
    return Failure.cells(Cause.RANGE, from, from);
  }

  /**
   * Grows a segment to include `offset`: allocates a chunk of the next power of two and recycles the old one.
   * A run may write past its program, which fails only at its end: it then gets a copy of the shared cells.
   */
  private static grow(entry: Segment, offset: u64): bool {
    if (offset >= IMPOSSIBLE_OFFSET) return Failure.plain(Cause.CAPACITY);
    if (entry.kind == Kind.EXECUTION || offset >= u64(Layout.MAX_SEGMENT_CELLS)) {
      return Failure.plain(Cause.MEMORY_LIMIT);
    }
    const wanted = max(u32(offset) + 1, entry.capacity << 1);
    const sizeClass = max<u32>(3, 32 - clz(wanted - 1));
    const chunk = Cells.allocate(sizeClass);
    if (chunk == 0) return Failure.plain(Cause.MEMORY_LIMIT);
    if (entry.capacity > 0) {
      Work.copy(chunk, entry.base, usize(entry.size) << 5);
      if (entry.kind != Kind.PROGRAM) {
        Cells.release(entry.base, 31 - clz(entry.capacity), entry.size);
      }
    }
    entry.base = chunk;
    entry.capacity = 1 << sizeClass;
    return true;
  }

  /** Gives a new segment exactly the requested number of cells, unlike growing, which rounds up. */
  static reserve(entry: Segment, cells: u32): void {
    if (entry.capacity != 0) return;
    const start = Cells.take(usize(cells) << 5);
    if (start == 0) return;
    entry.base = start;
    entry.capacity = cells;
  }

  /** Returns a cleared chunk of 2^sizeClass cells, 0 if the heap is full. */
  static allocate(sizeClass: u32): usize {
    const head = freeList(sizeClass);
    const reused = load<usize>(head);
    if (reused != 0) {
      store<usize>(head, load<usize>(reused));
      store<usize>(reused, 0);
      return reused;
    }
    return Cells.take((1 as usize) << (sizeClass + 5));
  }

  /** Returns cleared bytes of the segment heap, 0 if memory is used up. */
  private static take(bytes: usize): usize {
    // Keep the registers within their allowed range.
    const top = max(max(F.stackTop, F.fp), Stack.base());
    if (Regions.heapLow - top < bytes + 2 * GUARD) return 0;
    if (bytes > Regions.roomFor(bytes, F.stackTop)) return 0;
    Regions.heapLow -= bytes;
    F.stackEnd = min(F.stackEnd, Regions.registerEnd());
    if (F.segmentCount > 1) Cells.fitExecution();
    return Regions.heapLow;
  }

  /** Limits the execution segment to the space below the heap, so that no address reaches into the heap. */
  static fitExecution(): void {
    Cells.segment(1).capacity = u32((Regions.heapLow - GUARD - F.stackBase) / CELL);
  }

  /** Frees a chunk of 2^sizeClass cells; only the first `dirty` cells may have been written. */
  static release(chunk: usize, sizeClass: u32, dirty: u32): void {
    Work.clear(chunk, usize(dirty) << 5);
    const head = freeList(sizeClass);
    store<usize>(chunk, load<usize>(head));
    store<usize>(head, chunk);
  }

  /** Adds a segment. @returns its number, or -1 if the heap is full */
  static addSegment(kind: u32): i32 {
    if (F.segmentCount == F.segmentCapacity) {
      const bits = F.segmentCapacity == 0 ? 5 : 32 - clz(F.segmentCapacity);
      const table = bits > 23 ? 0 : Cells.allocate(bits);
      if (table == 0) {
        Failure.plain(Cause.MEMORY_LIMIT);
        return -1;
      }
      if (F.segmentCount > 0) {
        Work.copy(table, F.segments, usize(F.segmentCount) << 5);
        Cells.release(F.segments, bits - 1, F.segmentCount);
      }
      F.segments = table;
      F.segmentCapacity = 1 << bits;
    }
    const index = F.segmentCount++;
    Cells.segment(index).kind = kind;
    return index;
  }
}
