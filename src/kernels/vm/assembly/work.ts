import { pause } from "./host";

/** Units of work between two pauses. */
const PAUSE_UNITS: u32 = 1 << 23;

/** Bytes that are copied or cleared between two updates of the counter, and their cost in units. */
const PART_BYTES: usize = 1 << 22;
const PART_UNITS: u32 = 1 << 20;

/** Costs of single operations in units of {@link Work}, about a nanosecond each. */
export namespace Cost {
  /** Instruction of the fast path. */
  export const STEP: u32 = 4;
  /** Instruction of the slow path, excluding the computation of a builtin. */
  export const SLOW_STEP: u32 = 100;
  export const HINT: u32 = 200;
  /** Hint that computes a root in the field or searches for a point. */
  export const FIELD_HINT: u32 = 100_000;
  /** Hint that computes the root of an integer. */
  export const ROOT_HINT: u32 = 10_000;
  export const BLAKE: u32 = 1_500;
  export const KECCAK: u32 = 4_000;
  export const PEDERSEN: u32 = 12_000;
  export const POSEIDON: u32 = 12_000;
  export const EC_OP: u32 = 60_000;
  /** Reading or moving a cell. */
  export const CELL: u32 = 4;
  /** Comparing two cells that may be far apart in memory. */
  export const COMPARE: u32 = 16;
}

/**
 * Counts work in units of about a nanosecond, so that no loop of the kernel runs for long without calling the
 * host. If the host throws, the running frames are in an undefined state: the instance must be dropped.
 */
export class Work {
  private static units: u32 = 0;
  /** Set while the host must not be called. */
  static isMuted: bool = false;

  @inline
  static add(units: u32): void {
    Work.units += units;
    if (Work.units >= PAUSE_UNITS) Work.pause();
  }

  private static pause(): void {
    Work.units = 0;
    if (!Work.isMuted) pause();
  }

  /** Clears bytes in parts that are counted as work. */
  static clear(start: usize, bytes: usize): void {
    let rest = bytes;
    for (; rest > PART_BYTES; rest -= PART_BYTES) {
      memory.fill(start + rest - PART_BYTES, 0, PART_BYTES);
      Work.add(PART_UNITS);
    }
    memory.fill(start, 0, rest);
  }

  /** Copies bytes to a non-overlapping range. */
  static copy(to: usize, from: usize, bytes: usize): void {
    let done: usize = 0;
    for (; bytes - done > PART_BYTES; done += PART_BYTES) {
      memory.copy(to + done, from + done, PART_BYTES);
      Work.add(PART_UNITS);
    }
    memory.copy(to + done, from + done, bytes - done);
  }
}
