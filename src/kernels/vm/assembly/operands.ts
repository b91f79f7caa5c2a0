import { Cause, Form, Operand } from "./abi.generated";
import { Felt } from "../../field/assembly/felt";
import { Arithmetic } from "./arithmetic";
import { Cells } from "./cells";
import { Failure } from "./failure";
import { apOffset, F } from "./frame";

/**
 * Operands of hints. A hint is a sequence of 32-bit words; each reader takes its words and moves
 * the cursor on.
 *
 *     cell reference, 1 word:  offset * 2 + (1 for fp)
 *     value operand, 3 words:  form | FIRST_FP | SECOND_FP, offset of a, second
 *
 * Forms: of the table in ../abi.ts; `second` is the address of a constant, or an offset.
 */
export class Operands {
  static cursor: usize = 0;

  /** Next word. */
  @inline
  static word(): u32 {
    const value = load<u32>(Operands.cursor);
    Operands.cursor += 4;
    return value;
  }

  /** Offset in the execution segment of the next cell reference. */
  static cell(): i64 {
    const word = i32(Operands.word());
    return Operands.offset((word & Operand.CELL_FP) != 0, word >> 1);
  }

  private static offset(isFp: bool, offset: i32): i64 {
    const register = isFp ? u64((F.fp - F.stackBase) >> 5) : apOffset();
    // Offsets are below 2^63: nothing is written or read where others would point.
    return i64(min<u64>(register, MOST)) + i64(offset);
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

  /** The next value operand, any kind of value, as a known cell. */
  static value(out: usize): bool {
    return Operands.evaluate(out, false);
  }

  /** The next value operand, which must be made of integers. */
  static integer(out: usize): bool {
    return Operands.evaluate(out, true);
  }

  /** The next value operand as a bare integer without flags. */
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

  /** The next value operand used as an address: [a], or [a] + constant. */
  static address(out: usize): bool {
    const head = Operands.word();
    const first = i32(Operands.word());
    const second = Operands.word();
    const form = head & Operand.FORM_MASK;
    if (form != Form.CELL && form != Form.CELL_PLUS_CONSTANT) {
      return Failure.plain(Cause.HINT_OPERAND);
    }
    if (!Operands.pointer(out, Operands.offset((head & Operand.FIRST_FP) != 0, first)))
      return false;
    return form == Form.CELL || Arithmetic.add(out, out, usize(second));
  }

  /** Writes a known cell to the cell at an offset of the execution segment. */
  @inline
  static write(offset: i64, cell: usize): bool {
    if (offset < 0) return Failure.plain(Cause.HINT_OPERAND);
    return Cells.write(1, u64(offset), cell);
  }

  /** Writes a bare 256-bit value below P to the cell that the next reference names. */
  static store(value: usize): bool {
    Felt.copy(OTHER, value);
    Cells.flag(OTHER);
    return Operands.write(Operands.cell(), OTHER);
  }

  /** Writes a small number to the cell that the next reference names. */
  static storeNumber(value: u64): bool {
    Cells.setNumber(OTHER, value);
    return Operands.write(Operands.cell(), OTHER);
  }

  /** Writes 128 bits to the cell that the next reference names. */
  static store128(low: u64, high: u64): bool {
    Cells.setNumber(OTHER, low);
    store<u64>(OTHER, high, 8);
    return Operands.write(Operands.cell(), OTHER);
  }

  /** Writes an address to the cell that the next reference names. */
  static storeAddress(segment: u64, offset: u64): bool {
    Cells.setAddress(OTHER, segment, offset);
    return Operands.write(Operands.cell(), OTHER);
  }
}

/** Far beyond all memory. */
const MOST: u64 = 1 << 62;

const OTHER: usize = memory.data(32, 16);
