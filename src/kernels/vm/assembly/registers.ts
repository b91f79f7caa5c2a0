import { ApUpdate, Cause, Opcode, PcUpdate } from "./abi.generated";
import { Arithmetic } from "./arithmetic";
import { Cells } from "./cells";
import { Failure } from "./failure";
import { F, FAR_PC } from "./frame";
import { IMPOSSIBLE_OFFSET } from "./layout";
import { Regions } from "./regions";
import { Stack } from "./stack";
import { DST, OP1, RES, RETURN_PC } from "./step-cells";

/** Register updates of the slow path at the end of an instruction. */
export class Registers {
  /**
   * Updates fp, ap and pc. Register offsets are those before the instruction, `size` is its number of cells;
   * `unconstrained` means that it has no result.
   */
  static update(
    opcode: u32,
    ap: u32,
    pc: u32,
    unconstrained: bool,
    size: u32,
    apOffset: u64,
    fpOffset: u64,
  ): bool {
    let newFp = fpOffset;
    if (opcode == Opcode.CALL) {
      newFp = apOffset + 2;
    } else if (opcode == Opcode.RET) {
      if (!Cells.isAddress(DST) && !Cells.isU64(DST))
        return Failure.cells(Cause.TO_USIZE, DST, DST);
      newFp = load<u64>(DST);
    }
    if (!Registers.reaches(newFp)) return false;
    // The traceback of a later failure starts at the new frame pointer.
    F.fp = F.stackBase + (usize(newFp) << 5);
    let newAp = apOffset;
    if (opcode == Opcode.CALL) {
      newAp += 2;
    } else if (ap == ApUpdate.ADD1) {
      newAp += 1;
    } else if (ap == ApUpdate.ADD) {
      if (unconstrained) return Failure.plain(Cause.AP_UNCONSTRAINED);
      Cells.setAddress(RETURN_PC, 1, apOffset);
      if (!Arithmetic.add(RETURN_PC, RETURN_PC, RES)) return false;
      newAp = load<u64>(RETURN_PC);
    }

    let target: u64 = u64(F.pc + size);
    let segment: u64 = u64(F.pcSegment);
    if (pc == PcUpdate.JUMP) {
      if (unconstrained || !Cells.isAddress(RES)) return Failure.plain(Cause.JUMP_UNCONSTRAINED);
      target = load<u64>(RES);
      segment = load<u64>(RES, 8);
    } else if (pc == PcUpdate.JUMP_REL) {
      if (Cells.isAddress(RES)) return Failure.plain(Cause.JUMP_REL_NOT_INTEGER);
      if (!Registers.jump(RES)) return false;
      target = load<u64>(RETURN_PC);
    } else if (pc == PcUpdate.JNZ && !Arithmetic.isZero(DST)) {
      if (!Registers.jump(OP1)) return false;
      target = load<u64>(RETURN_PC);
    }
    const isFar = !Registers.fits(newAp);
    F.farAp = isFar ? newAp : 0;
    if (!isFar) F.ap = F.stackBase + (usize(newAp) << 5);
    F.farPc = target;
    F.pc = target >= u64(FAR_PC) ? FAR_PC : u32(target);
    F.pcSegment = u32(segment);
    return true;
  }

  /** Whether the execution segment can reach an offset; else records a failure. */
  private static reaches(offset: u64): bool {
    if (Registers.fits(offset)) return true;
    return Failure.plain(offset < IMPOSSIBLE_OFFSET ? Cause.MEMORY_LIMIT : Cause.CAPACITY);
  }

  /** Whether the execution segment has room up to an offset, after requesting more from the host. */
  private static fits(offset: u64): bool {
    if (offset > u64((Regions.heapEnd - F.stackBase) >> 5)) return false;
    return Stack.move(F.stackBase + (usize(offset) << 5));
  }

  /** RETURN_PC = pc + distance. */
  private static jump(distance: usize): bool {
    Cells.setAddress(RETURN_PC, u64(F.pcSegment), u64(F.pc));
    return Arithmetic.add(RETURN_PC, RETURN_PC, distance);
  }
}
