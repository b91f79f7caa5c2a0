import { Cause, Layout, Status } from "./abi.generated";
import { Exit } from "./exit";
import { Failure } from "./failure";
import { F } from "./frame";
import { Hints } from "./hints";
import { SLOT } from "./layout";
import { Slice } from "./slice";
import { Regions } from "./regions";
import { Stack } from "./stack";
import { stepSlow } from "./step";
import { Cost, Work } from "./work";

/** Executes up to `budget` instructions of the running frame. @returns a Status */
export function execute(budget: u32): u32 {
  return F.marks != 0 ? Run.execute<bool>(budget) : Run.execute<i32>(budget);
}

/**
 * The interpreter. M is bool if accesses are marked, any other type if not.
 *
 * The budget is split into slices small enough that ap cannot leave the stack: an instruction moves it by two
 * cells at most (ADVANCE_AP does its own check). Slots of Handler.SLOW follow the last cell of a program, so
 * that the slow path reports running past its end.
 */
class Run {
  static execute<M>(budget: u32): u32 {
    let rest = budget;
    let hintsDone = false;
    while (true) {
      if (F.pcSegment == F.endSegment && F.pc == 0) return Status.DONE;
      let allowed = F.stepLimit > F.steps ? min(F.stepLimit - F.steps, u64(rest)) : 0;
      // A syscall may have used up the limit: its instruction is still executed.
      if (hintsDone && allowed == 0) allowed = 1;
      if (allowed == 0) return Status.SLICE;
      let exit = Exit.SLOW;
      const base = Stack.base();
      let room = Regions.room(base);
      if (room < 64) room = Regions.roomFor(64, base);
      F.stackEnd = base + room;
      if (F.farAp != 0 || F.ap < F.denseStart) {
        // Fast handlers need an ap that is in memory and writable.
        const hasHints = F.pcSegment == 0 && F.pc < F.length && !hintsDone;
        if (hasHints && load<u32>(F.slots + usize(F.pc) * SLOT, Layout.SLOT_HINTS) != 0)
          exit = Exit.HINTS;
        hintsDone = false;
      } else if (F.pcSegment == 0 && F.pc <= F.length) {
        const slice = u32(min(allowed, u64(room >> 6)));
        if (slice == 0) {
          Failure.plain(Cause.MEMORY_LIMIT);
          return Status.FAILED;
        }
        exit = Slice.execute<M>(slice, usize(hintsDone));
        rest -= slice - F.left;
        F.steps += u64(slice - F.left);
        Work.add((slice - F.left) * Cost.STEP);
        hintsDone = false;
      }
      if (exit == Exit.FAILED) return Status.FAILED;
      if (exit == Exit.HINTS_DONE) {
        hintsDone = true;
      } else if (exit == Exit.HINTS) {
        if (!Hints.run(load<u32>(F.slots + usize(F.pc) * SLOT, Layout.SLOT_HINTS)))
          return Status.FAILED;
        hintsDone = true;
      } else if (exit == Exit.SLOW) {
        if (!stepSlow()) return Status.FAILED;
        rest--;
        F.steps++;
        Work.add(Cost.SLOW_STEP);
      }
    }
  }
}
