import { Cells } from "./cells";
import { Hint } from "./hints";
import { Handler, SLOT, VALUE } from "./layout";

/** Fields of an instruction word's flags (bits 48 and up). */
export namespace Flag {
  export const DST_FP: u32 = 1;
  export const OP0_FP: u32 = 2;
  /** Source of op1, three bits from bit 2: 0 op0, 1 immediate, 2 fp, 4 ap. */
  export const OP1: u32 = 2;
  /** Result, two bits: 0 op1, 1 sum, 2 product. */
  export const RES: u32 = 5;
  /** Program counter, three bits: 0 next, 1 absolute, 2 relative, 4 if not zero. */
  export const PC: u32 = 7;
  /** Allocation pointer, two bits: 0 none, 1 by the result, 2 by one. */
  export const AP: u32 = 10;
  /** Opcode, three bits: 0 none, 1 call, 2 ret, 4 assert_eq. */
  export const OPCODE: u32 = 12;
}

/** Slots of Handler.SLOW (all zeros) behind a program; an instruction is two cells at most. */
export const SENTINELS: usize = 2;

/** Turns cells of a program into slots (layout.ts) for the fast handlers. */
export class Decoder {
  /**
   * Decodes `length` cells. Whatever is not one of the frequent shapes becomes Handler.SLOW, which
   * decodes the cell again and knows every instruction and every error.
   */
  static program(slots: usize, cells: usize, length: u32, slowOnly: bool): void {
    memory.fill(slots + usize(length) * SLOT, 0, SENTINELS * SLOT);
    for (let i: u32 = 0; i < length; i++) {
      const slot = slots + usize(i) * SLOT;
      const hints = load<u32>(slot, 16);
      store<u32>(slot, Handler.SLOW);
      if (!slowOnly) Decoder.slot(slot, cells + (usize(i) << 5), i, length);
      const handler = load<u8>(slot);
      store<u8>(slot, handler, 1);
      if (hints != 0) {
        const isTest = !slowOnly && Decoder.isSimpleTest(hints);
        store<u8>(slot, u8(isTest ? Handler.TEST_HINT : Handler.HINTS));
      }
    }
  }

  /** Whether the hints are one TestLessThan or TestLessThanOrEqual of cells or constants. */
  private static isSimpleTest(hints: usize): bool {
    const hint = load<u32>(hints, 4);
    const left = load<u32>(hints, 8) & 0xff;
    const right = load<u32>(hints, 20) & 0xff;
    const isTest = hint == Hint.TEST_LESS_THAN || hint == Hint.TEST_LESS_THAN_OR_EQUAL;
    return (
      load<u32>(hints) == 1 && isTest && (left == 0 || left == 2) && (right == 0 || right == 2)
    );
  }

  private static slot(slot: usize, cell: usize, at: u32, length: u32): void {
    if (!Cells.isU64(cell) || load<u64>(cell) >> 63 != 0) return;
    const word = load<u64>(cell);
    const flags = u32(word >> 48);
    const op1 = (flags >> Flag.OP1) & 7;
    const res = (flags >> Flag.RES) & 3;
    const pc = (flags >> Flag.PC) & 7;
    const ap = (flags >> Flag.AP) & 3;
    const opcode = flags >> Flag.OPCODE;
    const off0 = i32((word & 0xffff) as u32) - 0x8000;
    const off1 = i32(((word >> 16) & 0xffff) as u32) - 0x8000;
    const off2 = i32(((word >> 32) & 0xffff) as u32) - 0x8000;
    const immediate = op1 == 1;
    if (immediate && (off2 != 1 || at + 1 >= length)) return;
    const size = immediate ? 2 : 1;
    let registers = flags & 3;
    if (op1 == 2) registers |= 4;
    store<u8>(slot, u8(registers), 2);
    store<i32>(slot, off0 << 5, 4);
    store<i32>(slot, off1 << 5, 8);
    store<i32>(slot, immediate ? i32(cell + 32 - slot) : off2 << 5, 12);
    store<u32>(slot, ap == 2 ? 32 : 0, 24);
    store<u32>(slot, size * u32(SLOT), 28);
    // Unused operands must be the usual [fp - 1]: the return address, always known and accessed.
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
      if (distance < 0 || distance > 1 << 20) return;
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
    const register = op1 == 2 || op1 == 4;
    if (opcode == 4) {
      if (pc != 0 || (ap != 0 && ap != 2)) return Handler.SLOW;
      if (res == 0) {
        if (op1 == 0) return Handler.ASSERT_DEREFERENCE;
        if (!freeOp0) return Handler.SLOW;
        if (op1 == 1) return Handler.ASSERT_IMMEDIATE;
        return register ? Handler.ASSERT_CELL : Handler.SLOW;
      }
      if (res == 1) {
        if (op1 == 1) return Handler.ADD_IMMEDIATE;
        return register ? Handler.ADD : Handler.SLOW;
      }
      if (res == 2) {
        if (op1 == 1) return Handler.MUL_IMMEDIATE;
        return register ? Handler.MUL : Handler.SLOW;
      }
      return Handler.SLOW;
    }
    if (opcode == 1) {
      const usual = off0 == 0 && off1 == 1 && (flags & 3) == 0 && ap == 0;
      return usual && op1 == 1 && res == 0 && pc == 2 ? Handler.CALL : Handler.SLOW;
    }
    if (opcode == 2) {
      const usual = off0 == -2 && off2 == -1 && (flags & 1) != 0 && op1 == 2 && res == 0;
      return usual && freeOp0 && pc == 1 && ap == 0 ? Handler.RETURN : Handler.SLOW;
    }
    if (opcode != 0 || res != 0 || !freeOp0) return Handler.SLOW;
    if (pc == 4) return op1 == 1 && (ap == 0 || ap == 2) ? Handler.JUMP_IF : Handler.SLOW;
    if (!freeDst) return Handler.SLOW;
    if (pc == 2 && (ap == 0 || ap == 2)) {
      if (op1 == 1) return Handler.JUMP;
      return register ? Handler.JUMP_TABLE : Handler.SLOW;
    }
    return pc == 0 && ap == 1 && op1 == 1 ? Handler.ADVANCE_AP : Handler.SLOW;
  }

  /** A cell as a small signed number; far out of any program when it is not one. */
  private static signed(cell: usize): i64 {
    if (Cells.isAddress(cell)) return i64.MAX_VALUE >> 1;
    const top = load<u64>(cell, 24) & VALUE;
    if (Cells.isU64(cell) && load<u64>(cell) < 1 << 31) return i64(load<u64>(cell));
    // -k is P - k: limbs 1 - k, -1, -1, top of P less one for k > 1; P - 1 has zeros.
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
