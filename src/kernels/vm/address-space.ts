import { LAYOUT } from "./abi.ts";

/**
 * Bytes of address space reserved for the programs loaded into a machine; only the used part takes
 * memory.
 */
export const PROGRAM_AREA_BYTES = 448 * 2 ** 20;

const PAGE_BYTES = 2 ** 16;

/**
 * Upper bound of static data, tables of the field's functions and of points, marks of pages and alignment;
 * the last page stays unused.
 */
const STATIC_BYTES = 32 * 2 ** 20;

/** Maximum bytes that the cells of one machine can span: the rest of WebAssembly's address space. */
export const MAX_SPAN_BYTES =
  2 ** 32 - PROGRAM_AREA_BYTES - LAYOUT.GUARDS * LAYOUT.GUARD_BYTES - STATIC_BYTES;

/** Maximum ratio of spanned to touchable bytes, as far as the address space allows. */
const SPAN_FACTOR = 4;

/**
 * Bytes of address space for cells of which `touchedBytes` may be touched; whole pages. Reserved space costs
 * no memory, but an engine limits the sum over all instances of a process to a small multiple of the
 * computer's memory.
 *
 * @param maxBytes - the instance's share of that limit
 */
export function spanBytesFor(touchedBytes: number, maxBytes: number = MAX_SPAN_BYTES): number {
  const bytes = Math.min(touchedBytes * SPAN_FACTOR, maxBytes, MAX_SPAN_BYTES);
  return Math.floor(bytes / PAGE_BYTES) * PAGE_BYTES;
}
