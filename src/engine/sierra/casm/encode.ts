import { invariant } from "#base/errors/index.ts";
import type { Instruction } from "./instruction.ts";
import type { CellRef, DerefOrImmediate, Register, ResOperand } from "./operand.ts";

/** Instruction flags, from bit 48 on. Source: the Cairo whitepaper, section 4.4. */
const DST_FP = 1;
const OP0_FP = 1 << 1;
const OP1_IMMEDIATE = 1 << 2;
const OP1_FP = 1 << 3;
const OP1_AP = 1 << 4;
const RES_ADD = 1 << 5;
const RES_MUL = 1 << 6;
const PC_JUMP_ABSOLUTE = 1 << 7;
const PC_JUMP_RELATIVE = 1 << 8;
const PC_JNZ = 1 << 9;
const AP_ADD = 1 << 10;
const AP_ADD_1 = 1 << 11;
const OPCODE_CALL = 1 << 12;
const OPCODE_RET = 1 << 13;
const OPCODE_ASSERT_EQ = 1 << 14;

const OFFSET_BIAS = 2 ** 15;

/** Instruction set extensions after Cairo 1.0, from bit 63 on. */
const EXTENSIONS = { blake: 1n, blakeFinalize: 2n, qm31: 3n } as const;

/** Operand that an instruction does not use: `[fp - 1]`. */
const UNUSED: CellRef = { register: "fp", offset: -1 };

/** Operands of an instruction, and the flags that follow from them. */
interface Parts {
  readonly op0: CellRef;
  readonly op1Offset: number;
  readonly flags: number;
  readonly immediate?: bigint;
}

/**
 * Encodes an instruction as felts: the instruction word, and its immediate if it has one. Immediates are not
 * reduced and may be negative.
 */
export function encodeInstruction({ body, incAp }: Instruction): bigint[] {
  const next = incAp ? AP_ADD_1 : 0;
  switch (body.kind) {
    case "add_ap":
      invariant(!incAp, "an instruction that adds to ap adds once");
      return felts(UNUSED, resParts(body.operand), AP_ADD);
    case "assert_eq":
      return felts(body.a, resParts(body.b), OPCODE_ASSERT_EQ | next);
    case "qm31_assert_eq":
      return felts(body.a, resParts(body.b), OPCODE_ASSERT_EQ | next, EXTENSIONS.qm31);
    case "call": {
      invariant(!incAp, "a call moves ap by itself");
      const { op1Offset, flags, ...rest } = targetParts(body.target);
      const op0: CellRef = { register: "ap", offset: 1 };
      const parts = { ...rest, op0, op1Offset, flags: flags | pcFlag(body.relative) };
      return felts({ register: "ap", offset: 0 }, parts, OPCODE_CALL);
    }
    case "jump":
      return felts(UNUSED, targetParts(body.target), pcFlag(body.relative) | next);
    case "jnz":
      return felts(body.condition, targetParts(body.target), PC_JNZ | next);
    case "ret": {
      invariant(!incAp, "a return does not move ap");
      const parts = { op0: UNUSED, op1Offset: -1, flags: OP1_FP };
      return felts({ register: "fp", offset: -2 }, parts, PC_JUMP_ABSOLUTE | OPCODE_RET);
    }
    case "blake2s_compress": {
      invariant(incAp, "a compression writes a cell");
      const { message, state, byteCount, finalize } = body;
      const parts = { op0: state, op1Offset: message.offset, flags: op1Flag(message.register) };
      return felts(byteCount, parts, next, EXTENSIONS[finalize ? "blakeFinalize" : "blake"]);
    }
  }
}

function felts(dst: CellRef, parts: Parts, flags: number, extension = 0n): bigint[] {
  const { op0, op1Offset, immediate } = parts;
  const registers =
    (dst.register === "fp" ? DST_FP : 0) | (op0.register === "fp" ? OP0_FP : 0) | parts.flags;
  const offsets = biased(dst.offset) + biased(op0.offset) * 2 ** 16 + biased(op1Offset) * 2 ** 32;
  const word = BigInt(offsets) | (BigInt(flags | registers) << 48n) | (extension << 63n);
  return immediate === undefined ? [word] : [word, immediate];
}

function biased(offset: number): number {
  return offset + OFFSET_BIAS;
}

function pcFlag(isRelative: boolean): number {
  return isRelative ? PC_JUMP_RELATIVE : PC_JUMP_ABSOLUTE;
}

function op1Flag(register: Register): number {
  return register === "ap" ? OP1_AP : OP1_FP;
}

function targetParts(operand: DerefOrImmediate): Parts {
  return operand.kind === "immediate"
    ? { op0: UNUSED, op1Offset: 1, flags: OP1_IMMEDIATE, immediate: operand.value }
    : { op0: UNUSED, op1Offset: operand.cell.offset, flags: op1Flag(operand.cell.register) };
}

function resParts(operand: ResOperand): Parts {
  switch (operand.kind) {
    case "deref":
    case "immediate":
      return targetParts(operand);
    case "double_deref":
      return { op0: operand.cell, op1Offset: operand.offset, flags: 0 };
    case "bin_op": {
      const parts = targetParts(operand.b);
      const flags = parts.flags | (operand.op === "add" ? RES_ADD : RES_MUL);
      return { ...parts, op0: operand.a, flags };
    }
  }
}
