import { Cause, Operand } from "./abi.generated";
import { Cells } from "./cells";
import { Failure } from "./failure";
import { F } from "./frame";
import { VALUE } from "./layout";
import { Operands } from "./operands";
import { Cost, Work } from "./work";

const POINTER: usize = memory.data(32, 16);
const COUNT: usize = memory.data(32, 16);

/** Bytes of an access: its key, the previous value, the new value. */
const ACCESS_BYTES: usize = 96;

/** Bits of a digit in the radix sort of keys below 2^32. */
const DIGIT_BITS: u32 = 11;

/** One counter per value of a digit. */
const COUNTERS: usize = memory.data(8192, 16);

/**
 * Hints that squash a dictionary: the accesses (key, previous, new) are visited by ascending key, and per key
 * in order of time.
 *
 * All access numbers are sorted by (key, number) once, into an array on the segment heap. The current key's
 * remaining accesses are its elements [squashPosition, squashEnd).
 */
export class Squash {
  /**
   * InitSquashData hint: sorts the accesses, and writes whether the highest key is big, and the first key.
   *
   * @returns `false` after a recorded failure
   */
  static init(): bool {
    if (!Operands.address(POINTER)) return false;
    Operands.cursor += Operand.BYTES; // skips the unused ptr_diff
    if (!Operands.felt(COUNT)) return false;
    const segment = load<u64>(POINTER, 8);
    const offset = load<u64>(POINTER);
    if (!Cells.isU64(COUNT) || load<u64>(COUNT) > 1 << 24) return Failure.plain(Cause.HINT_OPERAND);
    const count = u32(load<u64>(COUNT));
    if (count == 0) return Failure.plain(Cause.HINT_STATE);
    if (!Squash.checkKeys(segment, offset, count)) return false;
    if (F.squash != 0) Cells.release(F.squash, F.squashClass, 1 << F.squashClass);
    // Two arrays of u32: the sorted numbers and space for merging; eight bytes per access.
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
    return Operands.put(Squash.key(Squash.at(0)));
  }

  /**
   * GetCurrentAccessIndex hint: writes the number of the current access to the range check segment.
   *
   * @returns `false` after a recorded failure
   */
  static accessIndex(): bool {
    if (!Operands.address(POINTER)) return false;
    if (F.squashPosition >= F.squashEnd) return Failure.plain(Cause.HINT_STATE);
    Cells.setNumber(COUNT, u64(Squash.at(F.squashPosition)));
    return Cells.write(load<u64>(POINTER, 8), load<u64>(POINTER), COUNT);
  }

  /**
   * ShouldSkipSquashLoop hint (`whenMore` 0) and ShouldContinueSquashLoop hint (1): write `whenMore` if the
   * current key has further accesses, else the opposite.
   *
   * @returns `false` after a recorded failure
   */
  static shouldLoop(whenMore: u64): bool {
    if (F.squashPosition >= F.squashCount) return Failure.plain(Cause.HINT_STATE);
    const more = F.squashEnd - F.squashPosition > 1;
    return Operands.storeNumber(more ? whenMore : 1 - whenMore);
  }

  /**
   * GetCurrentAccessDelta hint: moves to the key's next access, and writes the distance to it minus one.
   *
   * @returns `false` after a recorded failure
   */
  static accessDelta(): bool {
    if (F.squashPosition + 1 >= F.squashEnd) return Failure.plain(Cause.HINT_STATE);
    const previous = Squash.at(F.squashPosition);
    F.squashPosition++;
    return Operands.storeNumber(u64(Squash.at(F.squashPosition) - previous - 1));
  }

  /**
   * GetNextDictKey hint: moves to the next key and writes it. The current key must have exactly one access
   * left.
   *
   * @returns `false` after a recorded failure
   */
  static nextKey(): bool {
    if (F.squashPosition + 1 != F.squashEnd || F.squashEnd >= F.squashCount) {
      return Failure.plain(Cause.HINT_STATE);
    }
    F.squashPosition = F.squashEnd;
    F.squashEnd = Squash.groupEnd(F.squashPosition);
    return Operands.put(Squash.key(Squash.at(F.squashPosition)));
  }

  /** Bits set in any key: of the lowest limb, and of all others together. */
  private static lowBits: u64 = 0;
  private static highBits: u64 = 0;

  private static checkKeys(segment: u64, offset: u64, count: u32): bool {
    Squash.lowBits = 0;
    Squash.highBits = 0;
    for (let i: u32 = 0; i < count; i++) {
      Work.add(Cost.CELL);
      const at = offset + 3 * u64(i);
      const key = Cells.at(segment, at);
      if (!Cells.isKnown(key)) return Failure.address(Cause.UNKNOWN_CELL, segment, at);
      if (Cells.isAddress(key)) return Failure.address(Cause.EXPECTED_INTEGER, segment, at);
      Squash.lowBits |= load<u64>(key);
      Squash.highBits |= load<u64>(key, 8) | load<u64>(key, 16) | (load<u64>(key, 24) & VALUE);
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
    return (load<u64>(key, 16) | (load<u64>(key, 24) & VALUE)) != 0;
  }

  private static groupEnd(position: u32): u32 {
    const first = Squash.key(Squash.at(position));
    let end = position + 1;
    while (end < F.squashCount && Cells.same(Squash.key(Squash.at(end)), first)) {
      Work.add(Cost.COMPARE);
      end++;
    }
    return end;
  }

  /** Sorts the access numbers by key; equal keys stay in order of time. */
  private static sort(count: u32): void {
    const numbers = F.squash;
    for (let i: u32 = 0; i < count; i++) store<u32>(numbers + (usize(i) << 2), i);
    const isSmall = Squash.highBits == 0 && Squash.lowBits >> 32 == 0;
    const other = numbers + (usize(count) << 2);
    const sorted = isSmall
      ? Squash.sortByDigits(numbers, other, count)
      : Squash.sortByMerging(numbers, other, count);
    if (sorted != numbers) memory.copy(numbers, sorted, usize(count) << 2);
  }

  /**
   * Radix sort: one pass per digit that is set in any key, lowest first. @returns the array with the result
   */
  private static sortByDigits(numbers: usize, other: usize, count: u32): usize {
    const keys = Squash.key(0);
    let from = numbers;
    let to = other;
    for (let shift: u32 = 0; shift < 32 && Squash.lowBits >> u64(shift) != 0; shift += DIGIT_BITS) {
      memory.fill(COUNTERS, 0, (4 as usize) << DIGIT_BITS);
      for (let i: u32 = 0; i < count; i++) {
        Work.add(Cost.COMPARE);
        const counter = Squash.counter(keys, load<u32>(from + (usize(i) << 2)), shift);
        store<u32>(counter, load<u32>(counter) + 1);
      }
      let position: u32 = 0;
      for (let digit: usize = 0; digit < (1 as usize) << DIGIT_BITS; digit++) {
        const counter = COUNTERS + (digit << 2);
        const size = load<u32>(counter);
        store<u32>(counter, position);
        position += size;
      }
      for (let i: u32 = 0; i < count; i++) {
        Work.add(Cost.COMPARE);
        const access = load<u32>(from + (usize(i) << 2));
        const counter = Squash.counter(keys, access, shift);
        store<u32>(to + (usize(load<u32>(counter)) << 2), access);
        store<u32>(counter, load<u32>(counter) + 1);
      }
      const swap = from;
      from = to;
      to = swap;
    }
    return from;
  }

  /** Counter of a digit of an access's key. */
  @inline
  private static counter(keys: usize, access: u32, shift: u32): usize {
    const digit =
      (load<u32>(keys + usize(access) * ACCESS_BYTES) >> shift) & ((1 << DIGIT_BITS) - 1);
    return COUNTERS + (usize(digit) << 2);
  }

  /** Whether key a is at most key b. */
  private static isAtMost(a: usize, b: usize): bool {
    const x3 = load<u64>(a, 24) & VALUE;
    const y3 = load<u64>(b, 24) & VALUE;
    if (x3 != y3) return x3 < y3;
    for (let i: usize = 16; i > 0; i -= 8) {
      const x = load<u64>(a + i);
      const y = load<u64>(b + i);
      if (x != y) return x < y;
    }
    return load<u64>(a) <= load<u64>(b);
  }

  /** Bottom-up merge sort. @returns the array with the result */
  private static sortByMerging(numbers: usize, other: usize, count: u32): usize {
    const keys = Squash.key(0);
    let from = numbers;
    let to = other;
    for (let width: u32 = 1; width < count; width <<= 1) {
      for (let start: u32 = 0; start < count; start += width << 1) {
        const middle = min(start + width, count);
        const end = min(start + (width << 1), count);
        let left = start;
        let right = middle;
        for (let i = start; i < end; i++) {
          Work.add(Cost.COMPARE);
          const a = load<u32>(from + (usize(left) << 2));
          const b = load<u32>(from + (usize(right) << 2));
          const takeLeft =
            left < middle &&
            (right >= end ||
              Squash.isAtMost(keys + usize(a) * ACCESS_BYTES, keys + usize(b) * ACCESS_BYTES));
          store<u32>(to + (usize(i) << 2), takeLeft ? a : b);
          if (takeLeft) left++;
          else right++;
        }
      }
      const swap = from;
      from = to;
      to = swap;
    }
    return from;
  }
}
