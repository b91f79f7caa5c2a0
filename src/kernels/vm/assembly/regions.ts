import { F } from "./frame";
import { GUARD } from "./layout";
import { moreMemory } from "./host";

/** Boundaries of the memory regions, shared by all frames. */
export namespace Regions {
  /** End of the segment heap, which grows downwards; lowest allocated byte. */
  export let heapEnd: usize = 0;
  export let heapLow: usize = 0;
  /** Start of the execution segments, which grow upwards towards the heap. */
  export let stackStart: usize = 0;
  /** Maximum bytes that segment heap and stack may touch together. */
  export let budget: usize = 0;
  export let depth: u32 = 0;
  export let frames: usize = 0;

  /** Maximum address of a register: two guards separate it from the heap. */
  export function registerEnd(): usize {
    return heapLow - 2 * GUARD;
  }

  /** Bytes that all frames have touched if the running one has written up to `top`. */
  export function used(top: usize): usize {
    if (depth == 0) return 0;
    const dense = top > F.denseStart ? top - F.denseStart : 0;
    return F.belowBytes + F.sparseBytes + dense + (heapEnd - heapLow);
  }

  /** Remaining bytes if the stack of the running frame ends at `top`. */
  export function room(top: usize): usize {
    const usedBytes = used(top);
    const end = registerEnd();
    if (usedBytes >= budget || top >= end) return 0;
    return min(budget - usedBytes, end - top);
  }

  /** {@link room}; first requests more from the host if less than `bytes` is left. */
  export function roomFor(bytes: usize, top: usize): usize {
    const left = room(top);
    return left < bytes && moreMemory() != 0 ? room(top) : left;
  }
}
