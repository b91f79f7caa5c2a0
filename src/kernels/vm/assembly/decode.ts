import {
  ApUpdate,
  Flag,
  FlagShift,
  Form,
  Handler,
  Hint,
  Layout,
  Op1,
  Opcode,
  Operand,
  PcUpdate,
  Res,
} from "./abi.generated";
import { Cells } from "./cells";
import { SLOT, VALUE } from "./layout";

/** Converts cells of a program to slots (layout.ts) for the fast handlers. */
export class Decoder {
  /**
   * Decodes `length` cells. Anything but the frequent shapes becomes Handler.SLOW, which decodes the cell
   * again and handles every instruction and every error.
   */
  static program(slots: usize, cells: usize, length: u32, slowOnly: bool): void {
    // Handler.SLOW is zero.
    memory.fill(slots + usize(length) * SLOT, 0, Layout.SENTINEL_SLOTS * SLOT);
    for (let i: u32 = 0; i < length; i++) {
      const slot = slots + usize(i) * SLOT;
      const hints = load<u32>(slot, Layout.SLOT_HINTS);
      store<u32>(slot, Handler.SLOW);
      if (!slowOnly) Decoder.slot(slot, cells + (usize(i) << 5), i, length);
      const handler = load<u8>(slot);
      store<u8>(slot, handler, 1);
      if (hints != 0) {
        store<u8>(slot, u8(slowOnly ? Handler.HOST_HINTS : Decoder.hintHandler(hints)));
      }
    }
  }

  private static hintHandler(hints: usize): u32 {
    if (Decoder.isSimpleTest(hints)) return Handler.TEST_HINT;
    const hint = load<u32>(hints, 4);
    const isHosts = hint == Hint.SYSTEM_CALL || hint == Hint.HOST || hint == Hint.RANDOM_EC_POINT;
    return load<u32>(hints) == 1 && !isHosts ? Handler.HINTS : Handler.HOST_HINTS;
  }

  /** Whether the hints are one TestLessThan or TestLessThanOrEqual of cells or constants. */
  private static isSimpleTest(hints: usize): bool {
    const hint = load<u32>(hints, 4);
    const left = load<u32>(hints, 8) & Operand.FORM_MASK;
    const right = load<u32>(hints, 8 + Operand.BYTES) & Operand.FORM_MASK;
    const isTest = hint == Hint.TEST_LESS_THAN || hint == Hint.TEST_LESS_THAN_OR_EQUAL;
    return (
      load<u32>(hints) == 1 &&
      isTest &&
      (left == Form.CELL || left == Form.CONSTANT) &&
      (right == Form.CELL || right == Form.CONSTANT)
    );
  }

  private static slot(slot: usize, cell: usize, at: u32, length: u32): void {
    if (!Cells.isU64(cell) || load<u64>(cell) >> 63 != 0) return;
    const word = load<u64>(cell);
    const flags = u32(word >> 48);
    const op1 = (flags >> FlagShift.OP1) & 7;
    const res = (flags >> FlagShift.RES) & 3;
    const pc = (flags >> FlagShift.PC) & 7;
    const ap = (flags >> FlagShift.AP) & 3;
    const opcode = flags >> FlagShift.OPCODE;
    const off0 = i32((word & 0xffff) as u32) - 0x8000;
    const off1 = i32(((word >> 16) & 0xffff) as u32) - 0x8000;
    const off2 = i32(((word >> 32) & 0xffff) as u32) - 0x8000;
    const immediate = op1 == Op1.IMMEDIATE;
    if (immediate && (off2 != 1 || at + 1 >= length)) return;
    const size = immediate ? 2 : 1;
    let registers = flags & (Flag.DST_FP | Flag.OP0_FP);
    if (op1 == Op1.FP) registers |= 4;
    store<u8>(slot, u8(registers), 2);
    store<i32>(slot, off0 << 5, 4);
    store<i32>(slot, off1 << 5, 8);
    store<i32>(slot, immediate ? i32(cell + 32 - slot) : off2 << 5, 12);
    store<u32>(slot, ap == ApUpdate.ADD1 ? 32 : 0, 24);
    store<u32>(slot, size * u32(SLOT), 28);
    // Unused operands must be the usual [fp - 1]: the return address, which is always known and accessed.
    const freeDst = (flags & Flag.DST_FP) != 0 && off0 == -1;
    const freeOp0 = (flags & Flag.OP0_FP) != 0 && off1 == -1;
    const kind = Decoder.handler(
      opcode,
      op1,
      res,
      pc,
      ap,
      freeDst,
      freeOp0,
      off0,
      off1,
      off2,
      flags,
    );
    const isJump = kind == Handler.JUMP || kind == Handler.JUMP_IF || kind == Handler.CALL;
    if (isJump) {
      const target = Decoder.signed(cell + 32) + i64(at);
      if (target < 0 || target >= i64(length)) return;
      store<i32>(slot, (i32(target) - i32(at)) * i32(SLOT), 20);
    }
    if (kind == Handler.ADD_IMMEDIATE) {
      const value = Decoder.signed(cell + 32);
      if (value < 0) {
        store<i32>(slot, i32(-value), 20);
        store<u8>(slot, u8(Handler.SUB_IMMEDIATE));
        return;
      }
    }
    if (kind == Handler.ADVANCE_AP) {
      const distance = Decoder.signed(cell + 32);
      if (distance < 0 || distance > i64(Layout.SPARSE_CELLS)) return;
      store<u32>(slot, u32(distance) << 5, 24);
    }
    store<u8>(slot, u8(kind));
  }

  private static handler(
    opcode: u32,
    op1: u32,
    res: u32,
    pc: u32,
    ap: u32,
    freeDst: bool,
    freeOp0: bool,
    off0: i32,
    off1: i32,
    off2: i32,
    flags: u32,
  ): u32 {
    const register = op1 == Op1.FP || op1 == Op1.AP;
    const keepsAp = ap == ApUpdate.REGULAR;
    const plainAp = keepsAp || ap == ApUpdate.ADD1;
    if (opcode == Opcode.ASSERT_EQ) {
      if (pc != PcUpdate.REGULAR || !plainAp) return Handler.SLOW;
      if (res == Res.OP1) {
        if (op1 == Op1.OP0) return Handler.ASSERT_DEREFERENCE;
        if (!freeOp0) return Handler.SLOW;
        if (op1 == Op1.IMMEDIATE) return Handler.ASSERT_IMMEDIATE;
        return register ? Handler.ASSERT_CELL : Handler.SLOW;
      }
      if (res == Res.ADD) {
        if (op1 == Op1.IMMEDIATE) return Handler.ADD_IMMEDIATE;
        return register ? Handler.ADD : Handler.SLOW;
      }
      if (res == Res.MUL) {
        if (op1 == Op1.IMMEDIATE) return Handler.MUL_IMMEDIATE;
        return register ? Handler.MUL : Handler.SLOW;
      }
      return Handler.SLOW;
    }
    if (opcode == Opcode.CALL) {
      const usual = off0 == 0 && off1 == 1 && (flags & (Flag.DST_FP | Flag.OP0_FP)) == 0;
      const isRelative = op1 == Op1.IMMEDIATE && res == Res.OP1 && pc == PcUpdate.JUMP_REL;
      return usual && isRelative && keepsAp ? Handler.CALL : Handler.SLOW;
    }
    if (opcode == Opcode.RET) {
      const usual = off0 == -2 && off2 == -1 && (flags & Flag.DST_FP) != 0 && freeOp0;
      const isReturn = op1 == Op1.FP && res == Res.OP1 && pc == PcUpdate.JUMP;
      return usual && isReturn && keepsAp ? Handler.RETURN : Handler.SLOW;
    }
    if (opcode != Opcode.NOP || res != Res.OP1 || !freeOp0) return Handler.SLOW;
    const immediate = op1 == Op1.IMMEDIATE;
    if (pc == PcUpdate.JNZ) return immediate && plainAp ? Handler.JUMP_IF : Handler.SLOW;
    if (!freeDst) return Handler.SLOW;
    if (pc == PcUpdate.JUMP_REL && plainAp) {
      if (immediate) return Handler.JUMP;
      return register ? Handler.JUMP_TABLE : Handler.SLOW;
    }
    const advances = pc == PcUpdate.REGULAR && ap == ApUpdate.ADD && immediate;
    return advances ? Handler.ADVANCE_AP : Handler.SLOW;
  }

  /** Cell as a small signed number; a value far outside of any program for other cells. */
  private static signed(cell: usize): i64 {
    if (Cells.isAddress(cell)) return i64.MAX_VALUE >> 1;
    const top = load<u64>(cell, 24) & VALUE;
    if (Cells.isU64(cell) && load<u64>(cell) < 1 << 31) return i64(load<u64>(cell));
    // -k is P - k: limbs 1 - k, -1, -1, top of P minus one for k > 1; P - 1 has zeros.
    if (
      top == 0x0800000000000011 &&
      (load<u64>(cell, 16) | load<u64>(cell, 8) | load<u64>(cell)) == 0
    ) {
      return -1;
    }
    const negative =
      top == 0x0800000000000010 &&
      load<u64>(cell, 16) == u64.MAX_VALUE &&
      load<u64>(cell, 8) == u64.MAX_VALUE &&
      load<u64>(cell) > ~((1 as u64) << 31);
    return negative ? i64(load<u64>(cell)) - 1 : i64.MAX_VALUE >> 1;
  }
}
