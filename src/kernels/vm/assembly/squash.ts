import { Cause, Operand } from "./abi.generated";
import { Felt } from "../../field/assembly/felt";
import { Cells } from "./cells";
import { Failure } from "./failure";
import { F } from "./frame";
import { Operands } from "./operands";
import { Cost, Work } from "./work";

const POINTER: usize = memory.data(32, 16);
const COUNT: usize = memory.data(32, 16);
const KEY_A: usize = memory.data(32, 16);
const KEY_B: usize = memory.data(32, 16);

/**
 * Hints that squash a dictionary: the accesses (key, previous, new) are visited key after key in
 * ascending order, and per key in order of time.
 *
 * All access numbers are sorted by (key, number) once into an array on the segment heap; the current
 * key's accesses still to visit are [squashPosition, squashEnd) of it.
 */
export class Squash {
  /** InitSquashData. */
  static init(): bool {
    if (!Operands.address(POINTER)) return false;
    Operands.cursor += Operand.BYTES; // ptr_diff is not used
    if (!Operands.felt(COUNT)) return false;
    const segment = load<u64>(POINTER, 8);
    const offset = load<u64>(POINTER);
    if (!Cells.isU64(COUNT) || load<u64>(COUNT) > 1 << 24) return Failure.plain(Cause.HINT_OPERAND);
    const count = u32(load<u64>(COUNT));
    if (count == 0) return Failure.plain(Cause.HINT_STATE);
    if (!Squash.checkKeys(segment, offset, count)) return false;
    if (F.squash != 0) Cells.release(F.squash, F.squashClass, 1 << F.squashClass);
    // Two arrays of u32: the sorted numbers and room for merging; eight bytes per access.
    F.squashClass = count <= 4 ? 0 : 32 - clz((count - 1) >> 2);
    F.squash = Cells.allocate(F.squashClass);
    if (F.squash == 0) return Failure.plain(Cause.MEMORY_LIMIT);
    F.squashSegment = segment;
    F.squashOffset = offset;
    F.squashCount = count;
    Squash.sort(count);
    F.squashPosition = 0;
    F.squashEnd = Squash.groupEnd(0);
    const isBig = Squash.isBig(Squash.key(Squash.at(count - 1)));
    if (!Operands.storeNumber(u64(isBig))) return false;
    return Operands.write(Operands.cell(), Squash.key(Squash.at(0)));
  }

  /** GetCurrentAccessIndex: to the range check segment. */
  static accessIndex(): bool {
    if (!Operands.address(POINTER)) return false;
    if (F.squashPosition >= F.squashEnd) return Failure.plain(Cause.HINT_STATE);
    Cells.setNumber(COUNT, u64(Squash.at(F.squashPosition)));
    return Cells.write(load<u64>(POINTER, 8), load<u64>(POINTER), COUNT);
  }

  /** ShouldSkipSquashLoop (`whenMore` 0) and ShouldContinueSquashLoop (1). */
  static shouldLoop(whenMore: u64): bool {
    if (F.squashPosition >= F.squashCount) return Failure.plain(Cause.HINT_STATE);
    const more = F.squashEnd - F.squashPosition > 1;
    return Operands.storeNumber(more ? whenMore : 1 - whenMore);
  }

  /** GetCurrentAccessDelta: distance to the key's next access, less one. */
  static accessDelta(): bool {
    if (F.squashPosition + 1 >= F.squashEnd) return Failure.plain(Cause.HINT_STATE);
    const previous = Squash.at(F.squashPosition);
    F.squashPosition++;
    return Operands.storeNumber(u64(Squash.at(F.squashPosition) - previous - 1));
  }

  /** GetNextDictKey: the current key must have one access left, which is dropped with it. */
  static nextKey(): bool {
    if (F.squashPosition + 1 != F.squashEnd || F.squashEnd >= F.squashCount) {
      return Failure.plain(Cause.HINT_STATE);
    }
    F.squashPosition = F.squashEnd;
    F.squashEnd = Squash.groupEnd(F.squashPosition);
    return Operands.write(Operands.cell(), Squash.key(Squash.at(F.squashPosition)));
  }

  private static checkKeys(segment: u64, offset: u64, count: u32): bool {
    for (let i: u32 = 0; i < count; i++) {
      Work.add(Cost.CELL);
      const at = offset + 3 * u64(i);
      const key = Cells.at(segment, at);
      if (!Cells.isKnown(key)) return Failure.address(Cause.UNKNOWN_CELL, segment, at);
      if (Cells.isAddress(key)) return Failure.address(Cause.EXPECTED_INTEGER, segment, at);
    }
    return true;
  }

  @inline
  private static at(position: u32): u32 {
    return load<u32>(F.squash + (usize(position) << 2));
  }

  private static key(access: u32): usize {
    return Cells.at(F.squashSegment, F.squashOffset + 3 * u64(access));
  }

  private static isBig(key: usize): bool {
    Cells.value(KEY_A, key);
    return (load<u64>(KEY_A, 16) | load<u64>(KEY_A, 24)) != 0;
  }

  private static compare(a: u32, b: u32): i32 {
    Work.add(Cost.COMPARE);
    Cells.value(KEY_A, Squash.key(a));
    Cells.value(KEY_B, Squash.key(b));
    return Felt.cmp(KEY_A, KEY_B);
  }

  private static groupEnd(position: u32): u32 {
    const first = Squash.at(position);
    let end = position + 1;
    while (end < F.squashCount && Squash.compare(Squash.at(end), first) == 0) end++;
    return end;
  }

  /** Bottom-up merge sort, stable: equal keys stay in order of time. */
  private static sort(count: u32): void {
    let from = F.squash;
    let to = F.squash + (usize(count) << 2);
    for (let i: u32 = 0; i < count; i++) store<u32>(from + (usize(i) << 2), i);
    for (let width: u32 = 1; width < count; width <<= 1) {
      for (let start: u32 = 0; start < count; start += width << 1) {
        const middle = min(start + width, count);
        const end = min(start + (width << 1), count);
        let left = start;
        let right = middle;
        for (let i = start; i < end; i++) {
          const a = load<u32>(from + (usize(left) << 2));
          const b = load<u32>(from + (usize(right) << 2));
          const takeLeft = left < middle && (right >= end || Squash.compare(a, b) <= 0);
          store<u32>(to + (usize(i) << 2), takeLeft ? a : b);
          if (takeLeft) left++;
          else right++;
        }
      }
      const swap = from;
      from = to;
      to = swap;
    }
    if (from != F.squash) memory.copy(F.squash, from, usize(count) << 2);
  }
}
