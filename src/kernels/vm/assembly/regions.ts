import { GUARD } from "./layout";
import { moreMemory } from "./host";

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
