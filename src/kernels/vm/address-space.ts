import { LAYOUT } from "./abi.ts";

/** Address space for running programs; touched only as far as it is used. */
export const PROGRAM_AREA_BYTES = 448 * 2 ** 20;

const PAGE_BYTES = 2 ** 16;

/** Static data, tables of the field's functions and of points, marks of pages, what keeps apart; not the last page. */
const STATIC_BYTES = 32 * 2 ** 20;

/** Most bytes that the cells of one machine can span: what the address space of WebAssembly leaves. */
export const MAX_SPAN_BYTES =
  2 ** 32 - PROGRAM_AREA_BYTES - LAYOUT.GUARDS * LAYOUT.GUARD_BYTES - STATIC_BYTES;

/** How many times what may be touched a machine can span at most, where the address space allows. */
const SPAN_FACTOR = 4;

/**
 * Bytes of address space for cells of which `touchedBytes` may be touched; whole pages. Reserved
 * space costs no memory, but an engine gives all instances of a process together no more than some
 * times what the computer has.
 *
 * @param mostBytes - the instance's share of that
 */
export function spanBytesFor(touchedBytes: number, mostBytes: number = MAX_SPAN_BYTES): number {
  const bytes = Math.min(touchedBytes * SPAN_FACTOR, mostBytes, MAX_SPAN_BYTES);
  return Math.floor(bytes / PAGE_BYTES) * PAGE_BYTES;
}
