import { Arithmetic } from "./arithmetic";
import { Blake } from "./blake";
import { Builtins } from "./builtins";
import { Cells } from "./cells";
import { Flag } from "./decode";
import { Cause, Failure } from "./failure";
import {
  ACCESSED,
  apOffset as offsetOfAp,
  DERIVED,
  exactPc,
  F,
  FAR_PC,
  IMPOSSIBLE_OFFSET,
  Regions,
  UNKNOWN,
  VALUE,
} from "./layout";

const DST: usize = memory.data(32, 16);
const OP0: usize = memory.data(32, 16);
const OP1: usize = memory.data(32, 16);
const RES: usize = memory.data(32, 16);
const RETURN_PC: usize = memory.data(32, 16);
const FRAME_POINTER: usize = memory.data(32, 16);

/**
 * Executes one instruction by the letter of the machine's definition: reference for the fast
 * handlers (run.ts), which leave to it whatever is not the ordinary case, errors included.
 *
 * Order as in cairo-vm 3.2.0: read dst, op0, op1; deduce op0, op1, res, dst; write what was
 * deduced; check; mark accesses; update fp, ap, pc.
 */
export function stepSlow(): bool {
  const cell = Cells.at(u64(F.pcSegment), u64(F.pc));
  if (!Cells.isKnown(cell)) return Failure.address(Cause.UNKNOWN_CELL, u64(F.pcSegment), exactPc());
  if (Cells.isAddress(cell))
    return Failure.address(Cause.EXPECTED_INTEGER, u64(F.pcSegment), u64(F.pc));
  if ((load<u64>(cell, 16) | (load<u64>(cell, 24) & VALUE)) != 0) {
    return Failure.plain(Cause.NOT_AN_INSTRUCTION);
  }
  return Step.execute(cell);
}

class Step {
  static execute(cell: usize): bool {
    const word = load<u64>(cell);
    const extension = (load<u64>(cell, 8) << 1) | (word >> 63);
    const flags = u32((word >> 48) & 0x7fff);
    const op1 = (flags >> Flag.OP1) & 7;
    const resLogic = (flags >> Flag.RES) & 3;
    const pc = (flags >> Flag.PC) & 7;
    const ap = (flags >> Flag.AP) & 3;
    const opcode = flags >> Flag.OPCODE;
    const off0 = i64(word & 0xffff) - 0x8000;
    const off1 = i64((word >> 16) & 0xffff) - 0x8000;
    const off2 = i64((word >> 32) & 0xffff) - 0x8000;
    if (!Step.isValid(flags, op1, resLogic, pc, ap, opcode, extension, off0, off1, off2)) {
      return false;
    }
    if (extension == 3) return Failure.plain(Cause.UNSUPPORTED);
    const size: u32 = op1 == 1 ? 2 : 1;

    const apOffset = offsetOfAp();
    const fpOffset = u64((F.fp - F.stackBase) >> 5);
    if (!Step.move(1, (flags & Flag.DST_FP) != 0 ? fpOffset : apOffset, off0)) return false;
    const dstOffset = Step.moved;
    if (!Step.move(1, (flags & Flag.OP0_FP) != 0 ? fpOffset : apOffset, off1)) return false;
    const op0Offset = Step.moved;
    const dstCell = Cells.at(1, dstOffset);
    const op0Cell = Cells.at(1, op0Offset);
    let dstKnown = Cells.isKnown(dstCell);
    let op0Known = Cells.isKnown(op0Cell);
    if (dstKnown) Cells.copy(DST, dstCell);
    if (op0Known) Cells.copy(OP0, op0Cell);

    let op1Segment: u64 = 1;
    let op1Base: u64 = 0;
    if (op1 == 0) {
      if (!op0Known) return Failure.plain(Cause.UNKNOWN_OP0);
      if (!Cells.isAddress(OP0)) return Failure.plain(Cause.NOT_AN_ADDRESS);
      op1Segment = load<u64>(OP0, 8);
      op1Base = load<u64>(OP0);
    } else if (op1 == 1) {
      if (off2 != 1) return Failure.plain(Cause.IMMEDIATE_OFFSET);
      op1Segment = u64(F.pcSegment);
      op1Base = u64(F.pc);
    } else {
      op1Base = op1 == 2 ? fpOffset : apOffset;
    }
    if (!Step.move(op1Segment, op1Base, off2)) return false;
    const op1Offset = Step.moved;
    const op1Cell = Cells.at(op1Segment, op1Offset);
    const op1Known = Cells.isKnown(op1Cell);
    if (op1Known) Cells.copy(OP1, op1Cell);

    let resKnown = false;
    let derived = false;
    if (!op0Known) {
      if (opcode == 1) {
        Cells.setAddress(OP0, u64(F.pcSegment), u64(F.pc + size));
      } else if (opcode == 4 && resLogic == 1 && dstKnown && op1Known) {
        if (!Arithmetic.sub(OP0, DST, OP1)) return false;
        Cells.copy(RES, DST);
        resKnown = true;
      } else if (opcode == 4 && resLogic == 2 && Step.canDivide(dstKnown, op1Known, OP1)) {
        Arithmetic.div(OP0, DST, OP1);
        Cells.copy(RES, DST);
        resKnown = true;
      } else {
        return Failure.address(Cause.OPERAND_OP0, 1, op0Offset);
      }
    }
    if (!op1Known) {
      const deduced = Builtins.deduce(op1Segment, op1Offset, OP1);
      if (deduced < 0) return false;
      derived = deduced > 0;
      if (!derived) {
        let found = false;
        if (opcode == 4 && dstKnown) {
          if (resLogic == 0) {
            Cells.copy(OP1, DST);
            found = true;
          } else if (resLogic == 1) {
            found = Arithmetic.sub(OP1, DST, OP0);
          } else if (Step.canDivide(dstKnown, true, OP0)) {
            Arithmetic.div(OP1, DST, OP0);
            found = true;
          }
        }
        if (!found) return Failure.address(Cause.OPERAND_OP1, op1Segment, op1Offset);
        Cells.copy(RES, DST);
        resKnown = true;
      }
    }
    const unconstrained = resLogic == 0 && pc == 4;
    if (!resKnown && !unconstrained) {
      if (resLogic == 0) {
        Cells.copy(RES, OP1);
      } else if (resLogic == 1) {
        if (!Arithmetic.add(RES, OP0, OP1)) return false;
      } else if (!Arithmetic.mul(RES, OP0, OP1)) return false;
    }
    if (!dstKnown) {
      if (opcode == 4 && !unconstrained) {
        Cells.copy(DST, RES);
      } else if (opcode == 1) {
        Cells.setAddress(DST, 1, fpOffset);
      } else {
        return Failure.plain(Cause.NO_DST);
      }
    }
    if (!op0Known && !Cells.write(1, op0Offset, OP0)) return false;
    if (!op1Known && !Cells.write(op1Segment, op1Offset, OP1)) return false;
    if (derived) Step.flag(op1Segment, op1Offset, DERIVED);
    if (!dstKnown && !Cells.write(1, dstOffset, DST)) return false;

    if (opcode == 4) {
      if (unconstrained) return Failure.plain(Cause.RES_UNCONSTRAINED);
      if (!Cells.same(DST, RES)) return Failure.cells(Cause.ASSERT_EQ, DST, RES);
    } else if (opcode == 1) {
      Cells.setAddress(RETURN_PC, u64(F.pcSegment), u64(F.pc + size));
      if (!Cells.same(OP0, RETURN_PC)) return Failure.cells(Cause.RETURN_PC, OP0, RETURN_PC);
      Cells.setAddress(FRAME_POINTER, 1, fpOffset);
      if (!Cells.same(DST, FRAME_POINTER))
        return Failure.cells(Cause.RETURN_FP, DST, FRAME_POINTER);
    }
    if (F.marks != 0) {
      Step.mark(1, dstOffset);
      Step.mark(1, op0Offset);
      Step.mark(op1Segment, op1Offset);
      Step.mark(u64(F.pcSegment), u64(F.pc));
    }
    if (extension != 0) {
      const isLast = extension == 2;
      const compressed = Blake.compress(
        dstOffset,
        op0Offset,
        op1Segment,
        op1Offset,
        apOffset,
        isLast,
      );
      if (!compressed) return false;
      F.blakeCount++;
    }
    return Step.updateRegisters(opcode, ap, pc, unconstrained, size, apOffset, fpOffset);
  }

  private static updateRegisters(
    opcode: u32,
    ap: u32,
    pc: u32,
    unconstrained: bool,
    size: u32,
    apOffset: u64,
    fpOffset: u64,
  ): bool {
    let newFp = fpOffset;
    if (opcode == 1) {
      newFp = apOffset + 2;
    } else if (opcode == 2) {
      if (!Cells.isAddress(DST) && !Cells.isU64(DST))
        return Failure.cells(Cause.TO_USIZE, DST, DST);
      newFp = load<u64>(DST);
    }
    if (!Step.reaches(newFp)) return false;
    // The traceback of a failure further on starts at the new frame pointer.
    F.fp = F.stackBase + (usize(newFp) << 5);
    let newAp = apOffset;
    if (opcode == 1) {
      newAp += 2;
    } else if (ap == 2) {
      newAp += 1;
    } else if (ap == 1) {
      if (unconstrained) return Failure.plain(Cause.AP_UNCONSTRAINED);
      Cells.setAddress(RETURN_PC, 1, apOffset);
      if (!Arithmetic.add(RETURN_PC, RETURN_PC, RES)) return false;
      newAp = load<u64>(RETURN_PC);
    }

    let target: u64 = u64(F.pc + size);
    let segment: u64 = u64(F.pcSegment);
    if (pc == 1) {
      if (unconstrained || !Cells.isAddress(RES)) return Failure.plain(Cause.JUMP_UNCONSTRAINED);
      target = load<u64>(RES);
      segment = load<u64>(RES, 8);
    } else if (pc == 2) {
      if (Cells.isAddress(RES)) return Failure.plain(Cause.JUMP_REL_NOT_INTEGER);
      if (!Step.jump(RES)) return false;
      target = load<u64>(RETURN_PC);
    } else if (pc == 4 && !Arithmetic.isZero(DST)) {
      if (!Step.jump(OP1)) return false;
      target = load<u64>(RETURN_PC);
    }
    const isFar = !Step.fits(newAp);
    F.farAp = isFar ? newAp : 0;
    if (!isFar) F.ap = F.stackBase + (usize(newAp) << 5);
    F.farPc = target;
    F.pc = target >= u64(FAR_PC) ? FAR_PC : u32(target);
    F.pcSegment = u32(segment);
    return true;
  }

  /** Whether an offset of the execution segment can be had; else a recorded failure. */
  private static reaches(offset: u64): bool {
    if (Step.fits(offset)) return true;
    return Failure.plain(offset < IMPOSSIBLE_OFFSET ? Cause.MEMORY_LIMIT : Cause.CAPACITY);
  }

  /** Whether the execution segment has room up to an offset, after the host was asked for more. */
  private static fits(offset: u64): bool {
    if (offset > u64((Regions.stackEnd - F.stackBase) >> 5)) return false;
    return Cells.reach(F.stackBase + (usize(offset) << 5));
  }

  /** RETURN_PC = pc + distance. */
  private static jump(distance: usize): bool {
    Cells.setAddress(RETURN_PC, u64(F.pcSegment), u64(F.pc));
    return Arithmetic.add(RETURN_PC, RETURN_PC, distance);
  }

  private static canDivide(dstKnown: bool, divisorKnown: bool, divisor: usize): bool {
    return (
      dstKnown &&
      divisorKnown &&
      !Cells.isAddress(DST) &&
      !Cells.isAddress(divisor) &&
      !Arithmetic.isZero(divisor)
    );
  }

  /** What {@link move} came to. */
  private static moved: u64 = 0;

  /** moved = base + distance, an offset in the segment. */
  private static move(segment: u64, base: u64, distance: i64): bool {
    Step.moved = base + u64(distance);
    if (distance < 0) {
      const back = u64(-distance);
      if (back <= base) return true;
      return Failure.addressAndNumber(Cause.SUB_OFFSET_NEGATIVE, segment, base, back);
    }
    if (Step.moved >= base) return true;
    return Failure.addressAndNumber(Cause.ADD_OFFSET_EXCEEDED, segment, base, u64(distance));
  }

  /** Marks a cell that lies inside of what its segment has written. */
  static mark(segment: u64, offset: u64): void {
    if (segment >= u64(F.segmentCount) || offset >= u64(Cells.size(segment))) return;
    Step.flag(segment, offset, ACCESSED);
  }

  private static flag(segment: u64, offset: u64, flags: u64): void {
    const cell = Cells.at(segment, offset);
    if (cell != UNKNOWN) store<u64>(cell, load<u64>(cell, 24) | flags, 24);
  }

  /** Checks the combination of flags; order of the checks as in cairo-vm's decoder. */
  private static isValid(
    flags: u32,
    op1: u32,
    res: u32,
    pc: u32,
    ap: u32,
    opcode: u32,
    extension: u64,
    off0: i64,
    off1: i64,
    off2: i64,
  ): bool {
    if (op1 == 3 || op1 > 4) return Step.invalid(1, op1);
    if (pc == 3 || pc > 4) return Step.invalid(2, pc);
    if (res == 3 || (pc == 4 && res != 0)) return Step.invalid(3, res);
    if (opcode == 3 || opcode > 4) return Step.invalid(4, opcode);
    if (extension > 3) return Step.invalid(5, extension);
    const plain = pc == 0 && (ap == 0 || ap == 2);
    if (extension == 1 || extension == 2) {
      const good = opcode == 0 && (op1 == 2 || op1 == 4) && res == 0 && plain;
      if (!good) return Step.invalid(6, flags);
    }
    if (extension == 3 && !(res != 0 && op1 != 0 && opcode == 4 && plain)) {
      return Step.invalid(7, flags);
    }
    if (ap == 3 || (opcode == 1 && ap != 0)) return Step.invalid(8, ap);
    if (opcode == 1 && (off0 != 0 || off1 != 1 || (flags & 3) != 0)) return Step.invalid(4, opcode);
    if (opcode == 2) {
      const good =
        off0 == -2 && off2 == -1 && (flags & Flag.DST_FP) != 0 && op1 == 2 && res == 0 && pc == 1;
      if (!good) return Step.invalid(4, opcode);
    }
    return true;
  }

  private static invalid(field: u32, value: u64): bool {
    Failure.detail = field;
    return Failure.addressAndNumber(Cause.BAD_INSTRUCTION, 0, 0, value);
  }
}
