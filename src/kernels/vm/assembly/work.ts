import { pause } from "./host";

/** Units between two pauses. */
const PAUSE_UNITS: u32 = 1 << 23;

/** Bytes that are copied or cleared between two counts, and the units that they are. */
const PART_BYTES: usize = 1 << 22;
const PART_UNITS: u32 = 1 << 20;

/** Costs of single operations in units. */
export namespace Cost {
  /** An instruction of the fast path. */
  export const STEP: u32 = 4;
  /** One of the slow path, without what a builtin computes for it. */
  export const SLOW_STEP: u32 = 100;
  export const HINT: u32 = 200;
  /** A hint that takes a root in the field or looks for a point. */
  export const FIELD_HINT: u32 = 100_000;
  /** A hint that takes an integer's root. */
  export const ROOT_HINT: u32 = 10_000;
  export const BLAKE: u32 = 1_500;
  export const KECCAK: u32 = 4_000;
  export const PEDERSEN: u32 = 12_000;
  export const POSEIDON: u32 = 12_000;
  export const EC_OP: u32 = 60_000;
  /** Looking at a cell, or moving one. */
  export const CELL: u32 = 4;
  /** Comparing two cells that may be far apart in memory. */
  export const COMPARE: u32 = 16;
}

/**
 * Counts work in units of about a nanosecond, so that no loop of the kernel runs for long without
 * asking the host. When the host throws, the running frames are in an undefined state: the instance
 * must be dropped.
 */
export class Work {
  private static units: u32 = 0;
  /** Set while the host is not to be asked. */
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

  /** Clears bytes. */
  static clear(start: usize, bytes: usize): void {
    let rest = bytes;
    for (; rest > PART_BYTES; rest -= PART_BYTES) {
      memory.fill(start + rest - PART_BYTES, 0, PART_BYTES);
      Work.add(PART_UNITS);
    }
    memory.fill(start, 0, rest);
  }

  /** Copies bytes to another place that does not overlap. */
  static copy(to: usize, from: usize, bytes: usize): void {
    let done: usize = 0;
    for (; bytes - done > PART_BYTES; done += PART_BYTES) {
      memory.copy(to + done, from + done, PART_BYTES);
      Work.add(PART_UNITS);
    }
    memory.copy(to + done, from + done, bytes - done);
  }
}
