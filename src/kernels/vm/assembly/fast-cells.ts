import { F } from "./frame";
import { ACCESSED, CONTENT, KNOWN, REL, SLOT } from "./layout";

/** Checks and writes of cells for the fast handlers (slice.ts), all inlined. */
export class FastCells {
  /** Marks a cell as accessed if M is bool; `top` is its top limb. */
  @inline
  static mark<M>(cell: usize, top: u64): void {
    if (isBoolean<M>()) store<u64>(cell, top | ACCESSED, 24);
  }

  /** Whether a known cell holds a value. */
  @inline
  static holds(cell: usize, v0: u64, v1: u64, v2: u64, v3: u64): bool {
    return (
      ((load<u64>(cell) ^ v0) |
        (load<u64>(cell, 8) ^ v1) |
        (load<u64>(cell, 16) ^ v2) |
        ((load<u64>(cell, 24) ^ v3) & CONTENT)) ==
      0
    );
  }

  /**
   * Compares a value with the content of an execution segment's cell, or writes it there.
   *
   * @param top - one past the highest written cell
   * @returns the cell, 0 if the slow path must determine the error
   */
  @inline
  static settle(target: usize, top: usize, v0: u64, v1: u64, v2: u64, v3: u64): usize {
    if (target < top) {
      const t3 = load<u64>(target, 24);
      if (t3 >> 63 == 0) {
        if (target < F.denseStart) return 0;
      } else if (!FastCells.holds(target, v0, v1, v2, v3)) return 0;
    }
    store<u64>(target, v0);
    store<u64>(target, v1, 8);
    store<u64>(target, v2, 16);
    store<u64>(target, v3 | ACCESSED, 24);
    return target;
  }

  /** Writes the two cells of a call: the caller's fp and the return address. */
  @inline
  static pushReturn(ap: usize, fp: usize, slot: usize): void {
    store<u64>(ap, (fp - F.stackBase) >> 5);
    store<u64>(ap, 1, 8);
    store<u64>(ap, 0, 16);
    store<u64>(ap, KNOWN | REL | ACCESSED, 24);
    store<u64>(ap, (slot - F.slots) / SLOT + 2, 32);
    store<u64>(ap, 0, 40);
    store<u64>(ap, 0, 48);
    store<u64>(ap, KNOWN | REL | ACCESSED, 56);
  }

  /** Stores the loop's variables in the frame. */
  @inline
  static leave(left: u32, slot: usize, ap: usize, fp: usize, top: usize): void {
    F.left = left;
    F.pc = u32((slot - F.slots) / SLOT);
    F.ap = ap;
    F.fp = fp;
    if (top > F.denseStart) F.stackTop = top;
  }
}
