import { Cause, Form, Operand } from "./abi.generated";
import { Felt } from "../../field/assembly/felt";
import { Arithmetic } from "./arithmetic";
import { Cells } from "./cells";
import { Failure } from "./failure";
import { apOffset, F } from "./frame";
import { CONTENT, KNOWN, REL } from "./layout";

/**
 * Operands of hints. A hint is a sequence of 32-bit words; each reader consumes its words and advances the
 * cursor.
 *
 *     cell reference, 1 word:  offset * 2 + (1 for fp)
 *     value operand, 3 words:  form | FIRST_FP | SECOND_FP, offset of a, second
 *
 * Forms are listed in ../abi.ts; `second` is the address of a constant, or an offset.
 */
export class Operands {
  static cursor: usize = 0;

  /** Reads the next word. */
  @inline
  static word(): u32 {
    const value = load<u32>(Operands.cursor);
    Operands.cursor += 4;
    return value;
  }

  /**
   * Address of the cell at an offset from a register. Returns 0 if the offset exceeds that of an
   * instruction's operand, which is always in memory (layout.ts).
   */
  @inline
  private static near(isFp: bool, offset: i32): usize {
    if (F.farAp != 0 || u32(offset + 0x8000) > 0xffff) return 0;
    return select<usize>(F.fp, F.ap, isFp) + (offset << 5);
  }

  /** Offset in the execution segment of the cell at an offset from a register. */
  private static offset(isFp: bool, offset: i32): i64 {
    const register = isFp ? u64((F.fp - F.stackBase) >> 5) : apOffset();
    // Clamped so that the sum cannot overflow; no cell exists at such offsets.
    return i64(min<u64>(register, MAX_OFFSET)) + i64(offset);
  }

  /** Reads a cell of the execution segment into `out`. */
  private static read(out: usize, offset: i64): bool {
    if (offset < 0) return Failure.plain(Cause.HINT_OPERAND);
    const cell = Cells.at(1, u64(offset));
    if (!Cells.isKnown(cell)) return Failure.address(Cause.UNKNOWN_CELL, 1, u64(offset));
    Cells.copy(out, cell);
    return true;
  }

  /** Reads a cell of the execution segment that must be an integer into `out`. */
  private static readInteger(out: usize, offset: i64): bool {
    if (!Operands.read(out, offset)) return false;
    if (Cells.isAddress(out)) return Failure.address(Cause.EXPECTED_INTEGER, 1, u64(offset));
    return true;
  }

  /** Reads the next value operand, of any kind, as a known cell. */
  static value(out: usize): bool {
    return Operands.evaluate(out, false);
  }

  /** Reads the next value operand, which must consist of integers. */
  static integer(out: usize): bool {
    return Operands.evaluate(out, true);
  }

  /** Reads the next value operand as a bare integer without flags. */
  static felt(out: usize): bool {
    if (!Operands.evaluate(out, true)) return false;
    Cells.value(out, out);
    return true;
  }

  private static evaluate(out: usize, integers: bool): bool {
    const head = Operands.word();
    const first = i32(Operands.word());
    const second = Operands.word();
    const form = head & Operand.FORM_MASK;
    if (form == Form.CONSTANT) {
      Cells.copy(out, usize(second));
      return true;
    }
    if (form == Form.CELL) {
      const cell = Operands.near((head & Operand.FIRST_FP) != 0, first);
      if (cell != 0) {
        const top = load<u64>(cell, 24) & CONTENT;
        if (top >> 63 != 0 && (!integers || (top & REL) == 0)) {
          Cells.copy(out, cell);
          return true;
        }
      }
    }
    const a = Operands.offset((head & Operand.FIRST_FP) != 0, first);
    if (form == Form.DEREFERENCE) return Operands.dereference(out, a, i64(i32(second)), integers);
    if (integers ? !Operands.readInteger(out, a) : !Operands.read(out, a)) return false;
    if (form == Form.CELL) return true;
    let b = usize(second);
    if (form == Form.CELL_PLUS_CELL || form == Form.CELL_TIMES_CELL) {
      b = OTHER;
      if (!Operands.readInteger(b, Operands.offset((head & Operand.SECOND_FP) != 0, i32(second))))
        return false;
    }
    const isSum = form == Form.CELL_PLUS_CONSTANT || form == Form.CELL_PLUS_CELL;
    return isSum ? Arithmetic.add(out, out, b) : Arithmetic.mul(out, out, b);
  }

  private static dereference(out: usize, a: i64, offset: i64, integers: bool): bool {
    if (!Operands.pointer(out, a)) return false;
    const segment = load<u64>(out, 8);
    const at = i64(load<u64>(out)) + offset;
    if (at < 0) return Failure.plain(Cause.HINT_OPERAND);
    const cell = Cells.at(segment, u64(at));
    if (!Cells.isKnown(cell)) return Failure.address(Cause.UNKNOWN_CELL, segment, u64(at));
    Cells.copy(out, cell);
    if (integers && Cells.isAddress(out)) {
      return Failure.address(Cause.EXPECTED_INTEGER, segment, u64(at));
    }
    return true;
  }

  private static pointer(out: usize, a: i64): bool {
    if (!Operands.read(out, a)) return false;
    return Cells.isAddress(out) || Failure.address(Cause.EXPECTED_ADDRESS, 1, u64(a));
  }

  /** Reads the next value operand as an address: [a], or [a] + constant. */
  static address(out: usize): bool {
    const head = Operands.word();
    const first = i32(Operands.word());
    const second = Operands.word();
    const form = head & Operand.FORM_MASK;
    if (form != Form.CELL && form != Form.CELL_PLUS_CONSTANT) {
      return Failure.plain(Cause.HINT_OPERAND);
    }
    const isFp = (head & Operand.FIRST_FP) != 0;
    const near = Operands.near(isFp, first);
    if (near != 0 && (load<u64>(near, 24) & CONTENT) == (KNOWN | REL)) Cells.copy(out, near);
    else if (!Operands.pointer(out, Operands.offset(isFp, first))) return false;
    if (form == Form.CELL) return true;
    const offset = load<u64>(out) + load<u64>(usize(second));
    if (offset < load<u64>(out) || !Cells.isU64(usize(second))) {
      return Arithmetic.add(out, out, usize(second));
    }
    store<u64>(out, offset);
    return true;
  }

  /** Writes a known cell to the cell of the next reference. */
  static put(cell: usize): bool {
    const top = load<u64>(cell, 24) & CONTENT;
    return Operands.putLimbs(load<u64>(cell), load<u64>(cell, 8), load<u64>(cell, 16), top);
  }

  /** {@link put} from a cell's limbs, flags included. */
  private static putLimbs(v0: u64, v1: u64, v2: u64, v3: u64): bool {
    const word = i32(Operands.word());
    const isFp = (word & Operand.CELL_FP) != 0;
    const near = Operands.near(isFp, word >> 1);
    // The cell is nearly always unwritten, in or directly after the written part.
    if (near >= F.denseStart && near <= F.stackTop && load<u64>(near, 24) >> 63 == 0) {
      Felt.set(near, v0, v1, v2, v3);
      if (near == F.stackTop) F.stackTop = near + 32;
      return true;
    }
    Felt.set(OTHER, v0, v1, v2, v3);
    const offset = Operands.offset(isFp, word >> 1);
    if (offset < 0) return Failure.plain(Cause.HINT_OPERAND);
    return Cells.write(1, u64(offset), OTHER);
  }

  /** Writes a bare 256-bit value below P to the cell of the next reference. */
  static store(value: usize): bool {
    const top = load<u64>(value, 24) | KNOWN;
    return Operands.putLimbs(load<u64>(value), load<u64>(value, 8), load<u64>(value, 16), top);
  }

  /** Writes a small number to the cell of the next reference. */
  static storeNumber(value: u64): bool {
    return Operands.putLimbs(value, 0, 0, KNOWN);
  }

  /** Writes 128 bits to the cell of the next reference. */
  static store128(low: u64, high: u64): bool {
    return Operands.putLimbs(low, high, 0, KNOWN);
  }

  /** Writes an address to the cell of the next reference. */
  static storeAddress(segment: u64, offset: u64): bool {
    return Operands.putLimbs(offset, segment, 0, KNOWN | REL);
  }
}

/** An offset far beyond all memory. */
const MAX_OFFSET: u64 = 1 << 62;

const OTHER: usize = memory.data(32, 16);
