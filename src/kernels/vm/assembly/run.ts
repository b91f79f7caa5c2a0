import { Cause, Form, Handler, Hint, Kind, Layout, Operand, Status } from "./abi.generated";
import { multiply } from "./multiply";
import { Failure } from "./failure";
import { Hints } from "./hints";
import { F } from "./frame";
import { ACCESSED, CONTENT, KNOWN, REL, Segment, SLOT, VALUE } from "./layout";
import { Regions } from "./regions";
import { stepSlow } from "./step";
import { Cost, Work } from "./work";

/** Top limb of the prime. */
const P3: u64 = 0x0800000000000011;

/** Where the words of a test hint stand in a list of one hint: two operands, the result's cell. */
const FIRST: usize = 8;
const SECOND: usize = FIRST + Operand.BYTES;
const RESULT: usize = SECOND + Operand.BYTES;

/** How {@link Run.part} came back. */
namespace Exit {
  export const BUDGET: u32 = 0;
  /** The instruction at pc has hints, which come first. */
  export const HINTS: u32 = 1;
  /** The instruction at pc is one for stepSlow(). */
  export const SLOW: u32 = 2;
}

/** Executes up to `budget` instructions of the running frame; a Status. */
export function execute(budget: u32): u32 {
  return F.marks != 0 ? Run.execute<bool>(budget) : Run.execute<i32>(budget);
}

/**
 * The interpreter. The type argument is bool where accesses are marked, another one where not.
 *
 * Each fast handler computes a value (v0..v3, flags included) and the cell it belongs to; the common
 * tail compares or writes it. Leaving v3 zero hands the instruction to stepSlow(), which does
 * everything: deduction by builtins, errors, rare operands. Handlers of jumps go on by themselves.
 * part() calls nothing and keeps few variables, so that all of them stay in machine registers.
 *
 * The budget is run in parts small enough that ap, which an instruction moves by two cells at most
 * (ADVANCE_AP checks for itself), cannot leave the stack. Slots of Handler.SLOW follow the last
 * cell of a program, so that going past it is the slow path's failure.
 */
class Run {
  static execute<M>(budget: u32): u32 {
    let rest = budget;
    let hintsDone = false;
    while (true) {
      if (F.pcSegment == F.endSegment && F.pc == 0) return Status.DONE;
      let allowed = F.stepLimit > F.steps ? min(F.stepLimit - F.steps, u64(rest)) : 0;
      // A syscall may have used up the limit: the instruction that it belongs to is still executed.
      if (hintsDone && allowed == 0) allowed = 1;
      if (allowed == 0) return Status.SLICE;
      let exit = Exit.SLOW;
      let room = Regions.room(F.ap);
      if (room < 64) room = Regions.roomFor(64, F.ap);
      F.stackEnd = F.ap + room;
      if (F.farAp != 0) {
        // Handlers need an ap that is in memory.
        const hasHints = F.pcSegment == 0 && F.pc < F.length && !hintsDone;
        if (hasHints && load<u32>(F.slots + usize(F.pc) * SLOT, Layout.SLOT_HINTS) != 0)
          exit = Exit.HINTS;
        hintsDone = false;
      } else if (F.pcSegment == 0 && F.pc <= F.length) {
        const part = u32(min(allowed, u64(room >> 6)));
        if (part == 0) {
          Failure.plain(Cause.MEMORY_LIMIT);
          return Status.FAILED;
        }
        exit = Run.part<M>(part, usize(hintsDone));
        rest -= part - F.left;
        F.steps += u64(part - F.left);
        Work.add((part - F.left) * Cost.STEP);
        hintsDone = false;
      }
      if (exit == Exit.HINTS) {
        if (!Hints.run(load<u32>(F.slots + usize(F.pc) * SLOT, Layout.SLOT_HINTS)))
          return Status.FAILED;
        hintsDone = true;
      } else if (exit == Exit.SLOW) {
        if ((F.farAp != 0 || !multiply()) && !stepSlow()) return Status.FAILED;
        rest--;
        F.steps++;
        Work.add(Cost.SLOW_STEP);
      }
    }
  }

  @inline
  private static mark<M>(cell: usize, top: u64): void {
    if (isBoolean<M>()) store<u64>(cell, top | ACCESSED, 24);
  }

  /**
   * Executes instructions while pc is in the program; registers are in F before and after, F.left is
   * what remains of the budget.
   *
   * @param skip - 1 when the hints of the first instruction are done, else 0
   */
  private static part<M>(budget: u32, skip: usize): u32 {
    let exit = Exit.BUDGET;
    let ap = F.ap;
    let fp = F.fp;
    let top = F.stackTop;
    let slot = F.slots + usize(F.pc) * SLOT;
    let left = budget;
    while (left != 0) {
      const handler = u32(load<u8>(slot + skip));
      skip = 0;
      let size: usize = SLOT;
      const registers = u32(load<u8>(slot, 2));
      let target = select<usize>(fp, ap, (registers & 1) != 0) + load<i32>(slot, 4);
      let v0: u64 = 0;
      let v1: u64 = 0;
      let v2: u64 = 0;
      let v3: u64 = 0;
      switch (handler) {
        case Handler.ASSERT_IMMEDIATE: {
          const b = slot + load<i32>(slot, 12);
          size = SLOT << 1;
          v0 = load<u64>(b);
          v1 = load<u64>(b, 8);
          v2 = load<u64>(b, 16);
          v3 = load<u64>(b, 24);
          break;
        }
        case Handler.ASSERT_CELL: {
          let b = select<usize>(fp, ap, (registers & 4) != 0) + load<i32>(slot, 12);
          v3 = load<u64>(b, 24);
          if (v3 >> 63 != 0) {
            Run.mark<M>(b, v3);
          } else {
            // The other cell gets dst's value.
            const swap = b;
            b = target;
            target = swap;
            v3 = load<u64>(b, 24);
            if (v3 >> 63 == 0) {
              v3 = 0;
              break;
            }
            Run.mark<M>(b, v3);
          }
          v3 &= CONTENT;
          v0 = load<u64>(b);
          v1 = load<u64>(b, 8);
          v2 = load<u64>(b, 16);
          break;
        }
        case Handler.ASSERT_DEREFERENCE: {
          const a = select<usize>(fp, ap, (registers & 2) != 0) + load<i32>(slot, 8);
          const a3 = load<u64>(a, 24);
          const index = load<u64>(a, 8);
          const offset = load<u64>(a) + u64(i64(load<i32>(slot, 12) >> 5));
          if (a3 < (KNOWN | REL) || index >= u64(F.segmentCount)) break;
          const entry = changetype<Segment>(F.segments + usize(index) * offsetof<Segment>());
          if (offset >= u64(entry.capacity)) break;
          const b = entry.base + (usize(offset) << 5);
          v3 = load<u64>(b, 24);
          if (v3 >> 63 != 0) {
            Run.mark<M>(a, a3);
            Run.mark<M>(b, v3);
            v3 &= CONTENT;
            v0 = load<u64>(b);
            v1 = load<u64>(b, 8);
            v2 = load<u64>(b, 16);
            break;
          }
          v3 = 0;
          const d3 = load<u64>(target, 24);
          if (d3 >> 63 == 0) break;
          const d2 = load<u64>(target, 16);
          if (entry.kind == Kind.RANGE_CHECK) {
            if (((d3 & (REL | VALUE)) | d2) != 0) break;
          } else if (entry.kind != Kind.PLAIN) break;
          if (u32(offset) >= entry.size) entry.size = u32(offset) + 1;
          Run.mark<M>(a, a3);
          Run.mark<M>(target, d3);
          store<u64>(b, load<u64>(target));
          store<u64>(b, load<u64>(target, 8), 8);
          store<u64>(b, d2, 16);
          store<u64>(b, d3 | ACCESSED, 24);
          ap += load<u32>(slot, 24);
          slot += SLOT;
          left--;
          continue;
        }
        case Handler.ADD_IMMEDIATE:
        case Handler.ADD: {
          let a = select<usize>(fp, ap, (registers & 2) != 0) + load<i32>(slot, 8);
          let b = select<usize>(fp, ap, (registers & 4) != 0);
          if (handler == Handler.ADD_IMMEDIATE) {
            b = slot;
            size = SLOT << 1;
          }
          b += load<i32>(slot, 12);
          let a3 = load<u64>(a, 24);
          let b3 = load<u64>(b, 24);
          if ((a3 & b3) >> 63 != 0) {
            Run.mark<M>(a, a3);
            Run.mark<M>(b, b3);
            if ((a3 & REL) != 0) {
              // address + small number
              if (((b3 & (REL | VALUE)) | load<u64>(b, 8) | load<u64>(b, 16)) != 0) break;
              const low = load<u64>(a);
              v0 = low + load<u64>(b);
              if (v0 < low) break;
              v1 = load<u64>(a, 8);
              v3 = KNOWN | REL;
              break;
            }
            if ((b3 & REL) != 0) break;
            const a0 = load<u64>(a);
            v0 = a0 + load<u64>(b);
            let carry = u64(v0 < a0);
            const a1 = load<u64>(a, 8);
            v1 = a1 + load<u64>(b, 8);
            let next = u64(v1 < a1);
            v1 += carry;
            carry = next | u64(v1 < carry);
            const a2 = load<u64>(a, 16);
            v2 = a2 + load<u64>(b, 16);
            next = u64(v2 < a2);
            v2 += carry;
            carry = next | u64(v2 < carry);
            const high = (a3 & VALUE) | (b3 & VALUE);
            if (high == 0) {
              v3 = carry | KNOWN;
              break;
            }
            v3 = (a3 & VALUE) + (b3 & VALUE) + carry;
            // At least P: the top limb is above P's, or equal with something below. No branch, since
            // it is a coin toss for random values.
            const over = u64(v3 > P3) | (u64(v3 == P3) & u64((v0 | v1 | v2) != 0));
            carry = over & u64(v0 == 0);
            v0 -= over;
            next = carry & u64(v1 == 0);
            v1 -= carry;
            carry = next & u64(v2 == 0);
            v2 -= next;
            v3 = (v3 - ((0 - over) & P3) - carry) | KNOWN;
            break;
          }
          // One operand is unknown: it gets dst less the other one.
          const d3 = load<u64>(target, 24);
          if (((a3 | b3) & d3) >> 63 == 0) break;
          if (a3 >> 63 != 0) {
            const swap = a;
            a = b;
            b = swap;
            b3 = a3;
          }
          Run.mark<M>(b, b3);
          Run.mark<M>(target, d3);
          const d = target;
          target = a;
          if ((d3 & REL) != 0) {
            const high = load<u64>(d);
            const low = load<u64>(b);
            if (high < low) break;
            if ((b3 & REL) != 0) {
              if (load<u64>(d, 8) != load<u64>(b, 8)) break;
              v0 = high - low;
              v3 = KNOWN;
              break;
            }
            if (((b3 & VALUE) | load<u64>(b, 8) | load<u64>(b, 16)) != 0) break;
            v0 = high - low;
            v1 = load<u64>(d, 8);
            v3 = KNOWN | REL;
            break;
          }
          if ((b3 & REL) != 0) break;
          const d0 = load<u64>(d);
          const b0 = load<u64>(b);
          v0 = d0 - b0;
          let borrow = u64(d0 < b0);
          const d1 = load<u64>(d, 8);
          const b1 = load<u64>(b, 8);
          v1 = d1 - b1;
          let next = u64(d1 < b1) | u64(v1 < borrow);
          v1 -= borrow;
          const d2 = load<u64>(d, 16);
          const b2 = load<u64>(b, 16);
          v2 = d2 - b2;
          borrow = u64(d2 < b2) | u64(v2 < next);
          v2 -= next;
          v3 = (d3 & VALUE) - (b3 & VALUE) - borrow;
          if (i64(v3) < 0) {
            v0 += 1;
            borrow = u64(v0 == 0);
            v1 += borrow;
            borrow &= u64(v1 == 0);
            v2 += borrow;
            borrow &= u64(v2 == 0);
            v3 += P3 + borrow;
          }
          v3 |= KNOWN;
          break;
        }
        case Handler.SUB_IMMEDIATE: {
          const a = select<usize>(fp, ap, (registers & 2) != 0) + load<i32>(slot, 8);
          const distance = u64(load<u32>(slot, 20));
          size = SLOT << 1;
          const a3 = load<u64>(a, 24) & CONTENT;
          if (a3 >> 63 != 0) {
            const low = load<u64>(a);
            const middle = load<u64>(a, 8);
            const isAddress = a3 == (KNOWN | REL);
            const isSmall = a3 == KNOWN && (middle | load<u64>(a, 16)) == 0;
            if (low < distance || !(isAddress || isSmall)) break;
            Run.mark<M>(a, a3);
            v0 = low - distance;
            v1 = middle;
            v3 = a3;
            break;
          }
          const d3 = load<u64>(target, 24) & CONTENT;
          const low = load<u64>(target);
          const middle = load<u64>(target, 8);
          const isAddress = d3 == (KNOWN | REL);
          const isSmall = d3 == KNOWN && (middle | load<u64>(target, 16)) == 0;
          v0 = low + distance;
          if (v0 < low || !(isAddress || isSmall)) break;
          Run.mark<M>(target, d3);
          target = a;
          v1 = middle;
          v3 = d3;
          break;
        }
        case Handler.JUMP: {
          ap += load<u32>(slot, 24);
          slot += load<i32>(slot, 20);
          left--;
          continue;
        }
        case Handler.JUMP_IF: {
          const d3 = load<u64>(target, 24);
          if (d3 >> 63 == 0) break;
          Run.mark<M>(target, d3);
          const content =
            load<u64>(target) | load<u64>(target, 8) | load<u64>(target, 16) | (d3 & (REL | VALUE));
          ap += load<u32>(slot, 24);
          slot += select<i32>(load<i32>(slot, 20), load<i32>(slot, 28), content != 0);
          left--;
          continue;
        }
        case Handler.CALL: {
          if ((load<u64>(ap, 24) | load<u64>(ap, 56)) >> 63 != 0) break;
          store<u64>(ap, (fp - F.stackBase) >> 5);
          store<u64>(ap, 1, 8);
          store<u64>(ap, 0, 16);
          store<u64>(ap, KNOWN | REL | ACCESSED, 24);
          store<u64>(ap, (slot - F.slots) / SLOT + 2, 32);
          store<u64>(ap, 0, 40);
          store<u64>(ap, 0, 48);
          store<u64>(ap, KNOWN | REL | ACCESSED, 56);
          ap += 64;
          if (top < ap) top = ap;
          fp = ap;
          slot += load<i32>(slot, 20);
          left--;
          continue;
        }
        case Handler.RETURN: {
          const d3 = load<u64>(fp - 64, 24);
          const q3 = load<u64>(fp - 32, 24);
          if ((d3 & q3) < (KNOWN | REL)) break;
          const oldFp = load<u64>(fp - 64);
          const pc = load<u64>(fp - 32);
          const segments = load<u64>(fp - 32, 8);
          const base = F.stackBase;
          if (segments != 0 || load<u64>(fp - 64, 8) != 1) break;
          if (pc >= u64(F.length) || oldFp > u64((top - base) >> 5)) break;
          Run.mark<M>(fp - 64, d3);
          Run.mark<M>(fp - 32, q3);
          fp = base + (usize(oldFp) << 5);
          slot = F.slots + usize(pc) * SLOT;
          left--;
          continue;
        }
        case Handler.ADVANCE_AP: {
          const distance = usize(load<u32>(slot, 24));
          const allowed = F.stackEnd - ap;
          if (distance >= allowed) break;
          ap += distance;
          slot += SLOT << 1;
          left--;
          if (u64(left) <= u64((allowed - distance) >> 6)) continue;
          // Less room than this part was made for: take another one.
          F.left = left;
          F.pc = u32((slot - F.slots) / SLOT);
          F.ap = ap;
          F.fp = fp;
          F.stackTop = top;
          return Exit.BUDGET;
        }
        case Handler.JUMP_TABLE: {
          const b = select<usize>(fp, ap, (registers & 4) != 0) + load<i32>(slot, 12);
          const b3 = load<u64>(b, 24);
          if ((b3 & CONTENT) != KNOWN || (load<u64>(b, 8) | load<u64>(b, 16)) != 0) break;
          const distance = load<u64>(b);
          if (distance >= u64(F.length)) break;
          const to = slot + usize(distance) * SLOT;
          if (to > F.slots + usize(F.length) * SLOT) break;
          Run.mark<M>(b, b3);
          ap += load<u32>(slot, 24);
          slot = to;
          left--;
          continue;
        }
        case Handler.TEST_HINT: {
          // Words: count, hint, the two operands, and the cell of the result.
          const words = usize(load<u32>(slot, Layout.SLOT_HINTS));
          const form = load<u32>(words, FIRST);
          const otherForm = load<u32>(words, SECOND);
          let a =
            select<usize>(fp, ap, (form & Operand.FIRST_FP) != 0) +
            (load<i32>(words, FIRST + 4) << 5);
          if (form == Form.CONSTANT) a = usize(load<u32>(words, FIRST + 8));
          let b =
            select<usize>(fp, ap, (otherForm & Operand.FIRST_FP) != 0) +
            (load<i32>(words, SECOND + 4) << 5);
          if (otherForm == Form.CONSTANT) b = usize(load<u32>(words, SECOND + 8));
          const cell = load<i32>(words, RESULT);
          target = select<usize>(fp, ap, (cell & Operand.CELL_FP) != 0) + ((cell >> 1) << 5);
          const a3 = load<u64>(a, 24) & CONTENT;
          const b3 = load<u64>(b, 24) & CONTENT;
          if ((((a3 & b3) ^ KNOWN) | ((a3 | b3) & REL)) >> 62 != 0) break;
          if (load<u64>(target, 24) >> 63 != 0) break;
          if (target >= top) top = target + 32;
          else if (target < F.stackBase) break;
          // The borrow of a - b, or for "or equal" of a - b - 1.
          let less = u64(load<u32>(words, 4) == Hint.TEST_LESS_THAN_OR_EQUAL);
          for (let i: usize = 0; i < 24; i += 8) {
            const x = load<u64>(a + i);
            const y = load<u64>(b + i);
            less = u64(x < y) | (u64(x == y) & less);
          }
          less = u64(a3 < b3) | (u64(a3 == b3) & less);
          store<u64>(target, less);
          store<u64>(target, 0, 8);
          store<u64>(target, 0, 16);
          store<u64>(target, KNOWN, 24);
          skip = 1;
          continue;
        }
        default:
          break;
      }
      const t3 = load<u64>(target, 24);
      if (v3 != 0) {
        if (t3 >> 63 == 0) {
          if (target >= top) top = target + 32;
          else if (target < F.stackBase) v3 = 0;
        } else if (
          ((load<u64>(target) ^ v0) |
            (load<u64>(target, 8) ^ v1) |
            (load<u64>(target, 16) ^ v2) |
            ((t3 ^ v3) & CONTENT)) !=
          0
        ) {
          v3 = 0;
        }
      }
      if (v3 == 0) {
        exit = handler == Handler.HINTS || handler == Handler.TEST_HINT ? Exit.HINTS : Exit.SLOW;
        break;
      }
      store<u64>(target, v0);
      store<u64>(target, v1, 8);
      store<u64>(target, v2, 16);
      store<u64>(target, v3 | ACCESSED, 24);
      ap += load<u32>(slot, 24);
      slot += size;
      left--;
    }
    F.left = left;
    F.pc = u32((slot - F.slots) / SLOT);
    F.ap = ap;
    F.fp = fp;
    F.stackTop = top;
    return exit;
  }
}
