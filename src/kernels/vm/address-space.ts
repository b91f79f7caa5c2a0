import { LAYOUT } from "./abi.ts";

/** Address space for running programs; touched only as far as it is used. */
export const PROGRAM_AREA_BYTES = 448 * 2 ** 20;

const PAGE_BYTES = 2 ** 16;

/** Static data, tables of the field's functions, what keeps apart; and not the last page. */
const STATIC_BYTES = 12 * 2 ** 20;

/** Everything but cells and programs: that, and the guards around the frames. */
const FIXED_BYTES = (LAYOUT.MAX_FRAMES + 2) * LAYOUT.GUARD_BYTES + STATIC_BYTES;

/** Bytes of the address space of WebAssembly that segments can share. */
const SEGMENT_SPACE_BYTES = 2 ** 32 - PROGRAM_AREA_BYTES - FIXED_BYTES;

/** Least address space for segments that are not execution segments. */
const MIN_HEAP_BYTES = 640 * 2 ** 20;

/** Most bytes that the cells of one machine can take. */
export const MAX_CELL_BYTES = SEGMENT_SPACE_BYTES - MIN_HEAP_BYTES;

/** Bytes of the segment heap beside execution segments that can take `cellBytes`; whole pages. */
export function heapBytesFor(cellBytes: number): number {
  const bytes = Math.min(cellBytes, SEGMENT_SPACE_BYTES - cellBytes);
  return Math.floor(bytes / PAGE_BYTES) * PAGE_BYTES;
}
