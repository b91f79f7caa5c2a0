import { KNOWN, REL } from "./layout";

/** Causes of a failed run; texts are made by the host (src/kernels/vm/failures.ts, same numbers). */
export namespace Cause {
  export const NONE: u32 = 0;
  export const HOST: u32 = 1;
  export const UNKNOWN_CELL: u32 = 2;
  export const EXPECTED_INTEGER: u32 = 3;
  export const EXPECTED_ADDRESS: u32 = 4;
  export const INCONSISTENT: u32 = 5;
  export const UNALLOCATED: u32 = 6;
  /** The limit of this machine; the host makes an outcome of its own of it. */
  export const MEMORY_LIMIT: u32 = 7;
  export const RANGE: u32 = 8;
  export const RANGE_NOT_INTEGER: u32 = 9;
  export const ADD_ADDRESSES: u32 = 10;
  export const ADD_EXCEEDED: u32 = 11;
  export const SUB_SEGMENTS: u32 = 12;
  export const SUB_NEGATIVE: u32 = 13;
  export const SUB_FROM_INTEGER: u32 = 14;
  export const MUL_ADDRESS: u32 = 15;
  export const NOT_AN_ADDRESS: u32 = 16;
  export const UNKNOWN_OP0: u32 = 17;
  export const OPERAND_OP0: u32 = 18;
  export const OPERAND_OP1: u32 = 19;
  export const NO_DST: u32 = 20;
  export const ASSERT_EQ: u32 = 21;
  export const RETURN_PC: u32 = 22;
  export const RETURN_FP: u32 = 23;
  export const JUMP_UNCONSTRAINED: u32 = 24;
  export const JUMP_REL_NOT_INTEGER: u32 = 25;
  export const AP_UNCONSTRAINED: u32 = 26;
  export const NOT_AN_INSTRUCTION: u32 = 27;
  export const BAD_INSTRUCTION: u32 = 28;
  export const IMMEDIATE_OFFSET: u32 = 29;
  export const TO_USIZE: u32 = 30;
  export const BUILTIN_INTEGER: u32 = 31;
  export const BITWISE_RANGE: u32 = 32;
  export const EC_NOT_ON_CURVE: u32 = 33;
  export const EC_SAME_X: u32 = 34;
  export const KECCAK_RANGE: u32 = 35;
  export const BLAKE_OPERAND: u32 = 36;
  export const NOT_U32: u32 = 37;
  export const UNSUPPORTED: u32 = 38;
  export const HINT_DIVISION_BY_ZERO: u32 = 39;
  export const HINT_NO_DICTIONARY: u32 = 40;
  export const HINT_STATE: u32 = 41;
  export const HINT_OPERAND: u32 = 42;
  export const AUTO_DEDUCTION: u32 = 43;
  export const SUB_OFFSET_NEGATIVE: u32 = 44;
  export const RES_UNCONSTRAINED: u32 = 45;
  export const ADD_OFFSET_EXCEEDED: u32 = 46;
  /** An offset that no machine has memory for. */
  export const CAPACITY: u32 = 47;
}

/**
 * What went wrong. The host reads it: cause, whether a hint was running, then two cells with the
 * values that the text shows.
 */
export const FAILURE: usize = memory.data(96, 16);

export class Failure {
  @inline
  static get cause(): u32 {
    return load<u32>(FAILURE);
  }

  @inline
  static set cause(value: u32) {
    store<u32>(FAILURE, value);
  }

  @inline
  static set inHint(value: bool) {
    store<u32>(FAILURE, value ? 1 : 0, 4);
  }

  @inline
  static set detail(value: u32) {
    store<u32>(FAILURE, value, 8);
  }

  /** Records a cause without values; always false. */
  static plain(cause: u32): bool {
    Failure.cause = cause;
    return false;
  }

  /** Records a cause with the values of two cells. */
  static cells(cause: u32, a: usize, b: usize): bool {
    Failure.cause = cause;
    memory.copy(FAILURE + 32, a, 32);
    memory.copy(FAILURE + 64, b, 32);
    return false;
  }

  /** Records a cause with an address. */
  static address(cause: u32, segment: u64, offset: u64): bool {
    Failure.cause = cause;
    Failure.setAddress(FAILURE + 32, segment, offset);
    return false;
  }

  /** Records a cause with an address and a cell. */
  static addressAndCell(cause: u32, segment: u64, offset: u64, cell: usize): bool {
    Failure.address(cause, segment, offset);
    memory.copy(FAILURE + 64, cell, 32);
    return false;
  }

  /** Records a cause with an address and a number. */
  static addressAndNumber(cause: u32, segment: u64, offset: u64, value: u64): bool {
    Failure.address(cause, segment, offset);
    Failure.setAddress(FAILURE + 64, 0, value);
    store<u64>(FAILURE + 64, KNOWN, 24);
    return false;
  }

  /** Records an address beside two cells. */
  static setExtra(segment: u64, offset: u64): void {
    store<u64>(FAILURE, segment, 16);
    store<u64>(FAILURE, offset, 24);
  }

  static setAddress(cell: usize, segment: u64, offset: u64): void {
    store<u64>(cell, offset);
    store<u64>(cell, segment, 8);
    store<u64>(cell, 0, 16);
    store<u64>(cell, KNOWN | REL, 24);
  }
}
