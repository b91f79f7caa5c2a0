import {
  Cause,
  Extension,
  Flag,
  FlagShift,
  Layout,
  Op1,
  Opcode,
  PcUpdate,
  Res,
} from "./abi.generated";
import { Arithmetic } from "./arithmetic";
import { Blake } from "./blake";
import { Builtins } from "./builtins";
import { Cells } from "./cells";
import { Failure } from "./failure";
import { apOffset as offsetOfAp, exactPc, F } from "./frame";
import { isInstruction } from "./instruction-check";
import { ACCESSED, DERIVED, UNKNOWN, VALUE } from "./layout";
import { Registers } from "./registers";
import { DST, FRAME_POINTER, OP0, OP1, RES, RETURN_PC } from "./step-cells";

/**
 * Executes one instruction exactly as the machine is defined. Reference for the fast handlers (run.ts), which
 * delegate to it everything but the common cases, including errors.
 *
 * Order as in cairo-vm 3.2.0: read dst, op0, op1; deduce op0, op1, res, dst; write deduced cells; check; mark
 * accesses; update fp, ap, pc.
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
    const op1 = (flags >> FlagShift.OP1) & 7;
    const resLogic = (flags >> FlagShift.RES) & 3;
    const pc = (flags >> FlagShift.PC) & 7;
    const ap = (flags >> FlagShift.AP) & 3;
    const opcode = flags >> FlagShift.OPCODE;
    const off0 = i64(word & 0xffff) - 0x8000;
    const off1 = i64((word >> 16) & 0xffff) - 0x8000;
    const off2 = i64((word >> 32) & 0xffff) - 0x8000;
    if (!isInstruction(flags, op1, resLogic, pc, ap, opcode, extension, off0, off1, off2)) {
      return false;
    }
    if (extension == Extension.QM31) return Failure.plain(Cause.UNSUPPORTED);
    const size: u32 = op1 == Op1.IMMEDIATE ? 2 : 1;

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
    if (op1 == Op1.OP0) {
      if (!op0Known) return Failure.plain(Cause.UNKNOWN_OP0);
      if (!Cells.isAddress(OP0)) return Failure.plain(Cause.NOT_AN_ADDRESS);
      op1Segment = load<u64>(OP0, 8);
      op1Base = load<u64>(OP0);
    } else if (op1 == Op1.IMMEDIATE) {
      if (off2 != 1) return Failure.plain(Cause.IMMEDIATE_OFFSET);
      op1Segment = u64(F.pcSegment);
      op1Base = u64(F.pc);
    } else {
      op1Base = op1 == Op1.FP ? fpOffset : apOffset;
    }
    if (!Step.move(op1Segment, op1Base, off2)) return false;
    const op1Offset = Step.moved;
    const op1Cell = Cells.at(op1Segment, op1Offset);
    const op1Known = Cells.isKnown(op1Cell);
    if (op1Known) Cells.copy(OP1, op1Cell);

    let resKnown = false;
    let derived = false;
    if (!op0Known) {
      if (opcode == Opcode.CALL) {
        Cells.setAddress(OP0, u64(F.pcSegment), u64(F.pc + size));
      } else if (opcode == Opcode.ASSERT_EQ && resLogic == Res.ADD && dstKnown && op1Known) {
        if (!Arithmetic.sub(OP0, DST, OP1)) return false;
        Cells.copy(RES, DST);
        resKnown = true;
      } else if (
        opcode == Opcode.ASSERT_EQ &&
        resLogic == Res.MUL &&
        Step.canDivide(dstKnown, op1Known, OP1)
      ) {
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
        if (opcode == Opcode.ASSERT_EQ && dstKnown) {
          if (resLogic == Res.OP1) {
            Cells.copy(OP1, DST);
            found = true;
          } else if (resLogic == Res.ADD) {
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
    const unconstrained = resLogic == Res.OP1 && pc == PcUpdate.JNZ;
    if (!resKnown && !unconstrained) {
      if (resLogic == Res.OP1) {
        Cells.copy(RES, OP1);
      } else if (resLogic == Res.ADD) {
        if (!Arithmetic.add(RES, OP0, OP1)) return false;
      } else if (!Arithmetic.mul(RES, OP0, OP1)) return false;
    }
    if (!dstKnown) {
      if (opcode == Opcode.ASSERT_EQ && !unconstrained) {
        Cells.copy(DST, RES);
      } else if (opcode == Opcode.CALL) {
        Cells.setAddress(DST, 1, fpOffset);
      } else {
        return Failure.plain(Cause.NO_DST);
      }
    }
    if (!op0Known && !Cells.write(1, op0Offset, OP0)) return false;
    if (!op1Known && !Cells.write(op1Segment, op1Offset, OP1)) return false;
    if (derived) Step.flag(op1Segment, op1Offset, DERIVED);
    if (!dstKnown && !Cells.write(1, dstOffset, DST)) return false;

    if (opcode == Opcode.ASSERT_EQ) {
      if (unconstrained) return Failure.plain(Cause.RES_UNCONSTRAINED);
      if (!Cells.same(DST, RES)) return Failure.cells(Cause.ASSERT_EQ, DST, RES);
    } else if (opcode == Opcode.CALL) {
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
    if (extension != Extension.STONE) {
      const isLast = extension == Extension.BLAKE_FINALIZE;
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
    return Registers.update(opcode, ap, pc, unconstrained, size, apOffset, fpOffset);
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

  /** Result of {@link move}. */
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

  /** Marks a cell within the written part of its segment. */
  static mark(segment: u64, offset: u64): void {
    if (segment >= u64(F.segmentCount) || offset >= u64(Cells.size(segment))) return;
    Step.flag(segment, offset, ACCESSED);
  }

  private static flag(segment: u64, offset: u64, flags: u64): void {
    const cell = Cells.at(segment, offset);
    if (cell != UNKNOWN) store<u64>(cell, load<u64>(cell, 24) | flags, 24);
  }
}
