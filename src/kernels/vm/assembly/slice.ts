import { Handler, Kind, Layout } from "./abi.generated";
import { BuiltinInputs } from "./builtin-inputs";
import { Exit } from "./exit";
import { FastCells } from "./fast-cells";
import { F } from "./frame";
import { InlineHints } from "./inline-hints";
import { ACCESSED, CONTENT, KNOWN, REL, Segment, SLOT, VALUE } from "./layout";
import { Products } from "./products";
import { Sums } from "./sums";
import { TestHint } from "./test-hint";

/**
 * The interpreter's loop. M is bool if accesses are marked, any other type if not.
 *
 * Each fast handler computes a value (v0..v3, flags included) and its target cell; the common tail compares
 * or writes it. A zero v3 delegates the instruction to stepSlow(), which handles everything: deduction by
 * builtins, errors, rare operands. Handlers of jumps continue the loop directly. Called functions are
 * inlined, and variables are few, so that all of them stay in machine registers.
 */
export class Slice {
  /**
   * Executes instructions while pc is in the program. The registers are in F before and after; F.left
   * receives the rest of the budget.
   *
   * @param skip - 1 if the hints of the first instruction have run, else 0
   */
  static execute<M>(budget: u32, skip: usize): u32 {
    let exit = Exit.BUDGET;
    let ap = F.ap;
    let fp = F.fp;
    let top = max(F.stackTop, F.denseStart);
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
            FastCells.mark<M>(b, v3);
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
            FastCells.mark<M>(b, v3);
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
            FastCells.mark<M>(a, a3);
            FastCells.mark<M>(b, v3);
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
          } else if (entry.kind != Kind.PLAIN && !BuiltinInputs.takesAny(entry.kind, offset)) break;
          if (u32(offset) >= entry.size) entry.size = u32(offset) + 1;
          FastCells.mark<M>(a, a3);
          FastCells.mark<M>(target, d3);
          store<u64>(b, load<u64>(target));
          store<u64>(b, load<u64>(target, 8), 8);
          store<u64>(b, d2, 16);
          store<u64>(b, d3 | ACCESSED, 24);
          ap += load<u32>(slot, 24);
          slot += SLOT;
          left--;
          continue;
        }
        case Handler.SUB_IMMEDIATE: {
          // Only small subtrahends; all others are sums with a negative number.
          const a = select<usize>(fp, ap, (registers & 2) != 0) + load<i32>(slot, 8);
          const distance = u64(load<u32>(slot, 20));
          const a3 = load<u64>(a, 24) & CONTENT;
          const low = load<u64>(a);
          if (a3 >> 62 != 0 && low >= distance) {
            const middle = load<u64>(a, 8);
            if (a3 == (KNOWN | REL) || (a3 == KNOWN && (middle | load<u64>(a, 16)) == 0)) {
              FastCells.mark<M>(a, a3);
              size = SLOT << 1;
              v0 = low - distance;
              v1 = middle;
              v3 = a3;
              break;
            }
          }
        }
        // fallthrough
        case Handler.ADD_IMMEDIATE:
        case Handler.ADD: {
          const a = select<usize>(fp, ap, (registers & 2) != 0) + load<i32>(slot, 8);
          let b = select<usize>(fp, ap, (registers & 4) != 0);
          if (handler != Handler.ADD) {
            b = slot;
            size = SLOT << 1;
          }
          const sum = Sums.deduce<M>(target, a, b + load<i32>(slot, 12), top);
          if (sum == 0) break;
          if (sum >= top) top = sum + 32;
          ap += load<u32>(slot, 24);
          slot += size;
          left--;
          continue;
        }
        case Handler.MUL_IMMEDIATE:
        case Handler.MUL: {
          const a = select<usize>(fp, ap, (registers & 2) != 0) + load<i32>(slot, 8);
          let b = select<usize>(fp, ap, (registers & 4) != 0);
          if (handler == Handler.MUL_IMMEDIATE) {
            b = slot;
            size = SLOT << 1;
          }
          const product = Products.write(target, a, b + load<i32>(slot, 12), top);
          if (product == 0) break;
          if (product >= top) top = product + 32;
          ap += load<u32>(slot, 24);
          slot += size;
          left--;
          continue;
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
          FastCells.mark<M>(target, d3);
          const content =
            load<u64>(target) | load<u64>(target, 8) | load<u64>(target, 16) | (d3 & (REL | VALUE));
          ap += load<u32>(slot, 24);
          left--;
          // A branch can be predicted; a select would have to wait for its inputs.
          if (content != 0) {
            slot += load<i32>(slot, 20);
            continue;
          }
          slot += load<i32>(slot, 28);
          continue;
        }
        case Handler.CALL: {
          if ((load<u64>(ap, 24) | load<u64>(ap, 56)) >> 63 != 0) break;
          FastCells.pushReturn(ap, fp, slot);
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
          FastCells.mark<M>(fp - 64, d3);
          FastCells.mark<M>(fp - 32, q3);
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
          // Less room than this slice was sized for: start another one.
          FastCells.leave(left, slot, ap, fp, top);
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
          FastCells.mark<M>(b, b3);
          ap += load<u32>(slot, 24);
          slot = to;
          left--;
          continue;
        }
        case Handler.TEST_HINT: {
          const flag = TestHint.execute(usize(load<u32>(slot, Layout.SLOT_HINTS)), ap, fp);
          if (flag == 0) break;
          if (flag >= top) top = flag + 32;
          if (load<u8>(slot, 1) != u8(Handler.JUMP_IF) || target != flag) {
            skip = 1;
            continue;
          }
          // Compiled code usually jumps on the result of a comparison.
          FastCells.mark<M>(flag, KNOWN);
          ap += load<u32>(slot, 24);
          left--;
          if (load<u64>(flag) != 0) {
            slot += load<i32>(slot, 20);
            continue;
          }
          slot += load<i32>(slot, 28);
          continue;
        }
        case Handler.HINTS: {
          FastCells.leave(left, slot, ap, fp, top);
          exit = InlineHints.run(usize(load<u32>(slot, Layout.SLOT_HINTS)));
          if (exit != Exit.BUDGET) return exit;
          top = max(F.stackTop, F.denseStart);
          skip = 1;
          continue;
        }
        default:
          break;
      }
      if (v3 != 0) {
        if (target >= top) {
          top = target + 32;
        } else {
          const t3 = load<u64>(target, 24);
          if (t3 >> 63 == 0) {
            if (target < F.denseStart) v3 = 0;
          } else if (!FastCells.holds(target, v0, v1, v2, v3)) v3 = 0;
        }
      }
      if (v3 == 0) {
        exit =
          handler == Handler.HOST_HINTS || handler == Handler.TEST_HINT ? Exit.HINTS : Exit.SLOW;
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
    FastCells.leave(left, slot, ap, fp, top);
    return exit;
  }
}
