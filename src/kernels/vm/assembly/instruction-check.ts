import {
  ApUpdate,
  Cause,
  Extension,
  Flag,
  InstructionFault,
  Op1,
  Opcode,
  PcUpdate,
  Res,
} from "./abi.generated";
import { Failure } from "./failure";

/**
 * Whether a combination of flags is a valid instruction, else records a failure. Checks in the order of
 * cairo-vm's decoder.
 */
export function isInstruction(
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
  if (op1 > Op1.FP && op1 != Op1.AP) return invalid(InstructionFault.OP1, op1);
  if (pc > PcUpdate.JUMP_REL && pc != PcUpdate.JNZ) return invalid(InstructionFault.PC, pc);
  if (res > Res.MUL || (pc == PcUpdate.JNZ && res != Res.OP1))
    return invalid(InstructionFault.RES, res);
  if (opcode > Opcode.RET && opcode != Opcode.ASSERT_EQ)
    return invalid(InstructionFault.OPCODE, opcode);
  if (extension > Extension.QM31) return invalid(InstructionFault.EXTENSION, extension);
  const plain = pc == PcUpdate.REGULAR && (ap == ApUpdate.REGULAR || ap == ApUpdate.ADD1);
  if (extension == Extension.BLAKE || extension == Extension.BLAKE_FINALIZE) {
    const good =
      opcode == Opcode.NOP && (op1 == Op1.FP || op1 == Op1.AP) && res == Res.OP1 && plain;
    if (!good) return invalid(InstructionFault.BLAKE, flags);
  }
  if (
    extension == Extension.QM31 &&
    !(res != Res.OP1 && op1 != Op1.OP0 && opcode == Opcode.ASSERT_EQ && plain)
  ) {
    return invalid(InstructionFault.QM31, flags);
  }
  if (ap > ApUpdate.ADD1 || (opcode == Opcode.CALL && ap != ApUpdate.REGULAR))
    return invalid(InstructionFault.AP, ap);
  if (
    opcode == Opcode.CALL &&
    (off0 != 0 || off1 != 1 || (flags & (Flag.DST_FP | Flag.OP0_FP)) != 0)
  )
    return invalid(InstructionFault.OPCODE, opcode);
  if (opcode == Opcode.RET) {
    const good =
      off0 == -2 &&
      off2 == -1 &&
      (flags & Flag.DST_FP) != 0 &&
      op1 == Op1.FP &&
      res == Res.OP1 &&
      pc == PcUpdate.JUMP;
    if (!good) return invalid(InstructionFault.OPCODE, opcode);
  }
  return true;
}

function invalid(fault: u32, value: u64): bool {
  Failure.detail = fault;
  return Failure.addressAndNumber(Cause.BAD_INSTRUCTION, 0, 0, value);
}
