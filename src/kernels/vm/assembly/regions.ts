import { F } from "./frame";
import { GUARD } from "./layout";
import { moreMemory } from "./host";

/** Where the parts of the memory lie; all frames together. */
export namespace Regions {
  /** One past the segment heap, which grows down from here; lowest byte of what it has given out. */
  export let heapEnd: usize = 0;
  export let heapLow: usize = 0;
  /** Where the execution segments begin, which grow up towards the heap. */
  export let stackStart: usize = 0;
  /** Bytes that segment heap and stack may touch together. */
  export let budget: usize = 0;
  export let depth: u32 = 0;
  export let frames: usize = 0;

  /** Highest place of a register: two guards are between it and the heap. */
  export function registerEnd(): usize {
    return heapLow - 2 * GUARD;
  }

  /** Bytes that all frames have touched when the running one has written up to `top`. */
  export function used(top: usize): usize {
    if (depth == 0) return 0;
    const dense = top > F.denseStart ? top - F.denseStart : 0;
    return F.belowBytes + F.sparseBytes + dense + (heapEnd - heapLow);
  }

  /** Bytes that may still be taken when the stack of the running frame ends at `top`. */
  export function room(top: usize): usize {
    const taken = used(top);
    const end = registerEnd();
    if (taken >= budget || top >= end) return 0;
    return min(budget - taken, end - top);
  }

  /** As {@link room}, after the host was asked for more when less than `bytes` is left. */
  export function roomFor(bytes: usize, top: usize): usize {
    const left = room(top);
    return left < bytes && moreMemory() != 0 ? room(top) : left;
  }
}
