import { Kind } from "./abi.generated";
import { Dictionaries } from "./dictionaries";
import { F, FREE_LISTS, freeList } from "./frame";
import { CELL, Segment } from "./layout";
import { Regions } from "./regions";
import { Cost, Work } from "./work";

/** Up to this size a frame's part is cleared as a whole. */
const SMALL_BYTES: usize = 1 << 20;

/**
 * Clears the running frame's part of the segment heap when the frame ends, and records the highest use of the
 * heap.
 */
export class Heap {
  /** Maximum bytes in use by all frames together. */
  static peak: usize = 0;

  /**
   * Clears only the written part of chunks, since the rest was never touched. Interrupted work may have
   * written to untracked chunks; then everything is cleared.
   */
  static clear(): void {
    Heap.peak = max(Heap.peak, Regions.heapEnd - Regions.heapLow);
    const bytes = F.heapStart - Regions.heapLow;
    if (bytes <= SMALL_BYTES || Work.isMuted) {
      Work.clear(Regions.heapLow, bytes);
      return;
    }
    // If the host aborts here, a second run finds these chunks already clear.
    for (let i: u32 = 0; i < F.segmentCount; i++) {
      const entry = changetype<Segment>(F.segments + usize(i) * offsetof<Segment>());
      Work.add(Cost.CELL);
      if (entry.dictionary != 0) Dictionaries.clear(entry.dictionary);
      if (entry.kind == Kind.EXECUTION || entry.base == F.cells) continue;
      Work.clear(entry.base, usize(entry.size) * CELL);
    }
    if (F.squash != 0) Work.clear(F.squash, (1 as usize) << (F.squashClass + 5));
    for (let sizeClass: u32 = 0; sizeClass < FREE_LISTS; sizeClass++) {
      const head = freeList(sizeClass);
      let chunk = load<usize>(head);
      while (chunk != 0) {
        Work.add(Cost.CELL);
        const next = load<usize>(chunk);
        store<usize>(head, next);
        store<usize>(chunk, 0);
        chunk = next;
      }
    }
    Work.clear(F.segments, usize(F.segmentCapacity) * offsetof<Segment>());
  }
}
