import { FailureRecord } from "./abi.generated";
import { KNOWN, REL } from "./layout";

/**
 * Failure record, read by the host: cause, whether a hint was running, then two cells with the values that
 * the text shows.
 */
export const FAILURE: usize = memory.data(FailureRecord.BYTES, 16);

export class Failure {
  @inline
  static get cause(): u32 {
    return load<u32>(FAILURE, FailureRecord.CAUSE);
  }

  @inline
  static set cause(value: u32) {
    store<u32>(FAILURE, value, FailureRecord.CAUSE);
  }

  @inline
  static set inHint(value: bool) {
    store<u32>(FAILURE, value ? 1 : 0, FailureRecord.IN_HINT);
  }

  @inline
  static set detail(value: u32) {
    store<u32>(FAILURE, value, FailureRecord.DETAIL);
  }

  /** Records a cause without values. @returns always `false` */
  static plain(cause: u32): bool {
    Failure.cause = cause;
    return false;
  }

  /** Records a cause with the values of two cells. */
  static cells(cause: u32, a: usize, b: usize): bool {
    Failure.cause = cause;
    memory.copy(FAILURE + FailureRecord.FIRST, a, 32);
    memory.copy(FAILURE + FailureRecord.SECOND, b, 32);
    return false;
  }

  static address(cause: u32, segment: u64, offset: u64): bool {
    Failure.cause = cause;
    Failure.setAddress(FAILURE + FailureRecord.FIRST, segment, offset);
    return false;
  }

  static addressAndCell(cause: u32, segment: u64, offset: u64, cell: usize): bool {
    Failure.address(cause, segment, offset);
    memory.copy(FAILURE + FailureRecord.SECOND, cell, 32);
    return false;
  }

  static addressAndNumber(cause: u32, segment: u64, offset: u64, value: u64): bool {
    Failure.address(cause, segment, offset);
    Failure.setAddress(FAILURE + FailureRecord.SECOND, 0, value);
    store<u64>(FAILURE + FailureRecord.SECOND, KNOWN, 24);
    return false;
  }

  /** Records an address in addition to two cells. */
  static setExtra(segment: u64, offset: u64): void {
    store<u64>(FAILURE + FailureRecord.EXTRA, segment);
    store<u64>(FAILURE + FailureRecord.EXTRA, offset, 8);
  }

  static setAddress(cell: usize, segment: u64, offset: u64): void {
    store<u64>(cell, offset);
    store<u64>(cell, segment, 8);
    store<u64>(cell, 0, 16);
    store<u64>(cell, KNOWN | REL, 24);
  }
}
