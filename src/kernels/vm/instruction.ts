/**
 * Encoding of a Cairo instruction: three 16-bit offsets, biased by 2^15, then flags from bit 48 on, then the
 * opcode extension (source: cairo-vm 3.2.0, `decoder.rs`).
 */
export const INSTRUCTION = {
  /** One-bit flags: dst, op0 is relative to fp instead of ap. */
  Flag: { DST_FP: 1, OP0_FP: 2 },
  /** Start bits of the longer fields. RES, AP: two bits; OP1, PC: three bits. */
  FlagShift: { OP1: 2, RES: 5, PC: 7, AP: 10, OPCODE: 12 },
  /** Source of op1. */
  Op1: { OP0: 0, IMMEDIATE: 1, FP: 2, AP: 4 },
  /** Computation of the result. */
  Res: { OP1: 0, ADD: 1, MUL: 2 },
  /** Update of the program counter. */
  PcUpdate: { REGULAR: 0, JUMP: 1, JUMP_REL: 2, JNZ: 4 },
  /** Update of the allocation pointer. */
  ApUpdate: { REGULAR: 0, ADD: 1, ADD1: 2 },
  /** Opcode. */
  Opcode: { NOP: 0, CALL: 1, RET: 2, ASSERT_EQ: 4 },
  /** Opcode extension. */
  Extension: { STONE: 0, BLAKE: 1, BLAKE_FINALIZE: 2, QM31: 3 },
} as const;

/** Fields of an instruction's flags. */
export interface InstructionFlags {
  readonly isDstFp: boolean;
  readonly isOp0Fp: boolean;
  /** A value of {@link INSTRUCTION}'s `Op1`; the following fields likewise. */
  readonly op1: number;
  readonly res: number;
  readonly pcUpdate: number;
  readonly apUpdate: number;
  readonly opcode: number;
}

/** Decodes the flags of an instruction; `flags` is the word from bit 48 on, below 2^15. */
export function instructionFlags(flags: number): InstructionFlags {
  const { Flag, FlagShift } = INSTRUCTION;
  return {
    isDstFp: (flags & Flag.DST_FP) !== 0,
    isOp0Fp: (flags & Flag.OP0_FP) !== 0,
    op1: (flags >> FlagShift.OP1) & 7,
    res: (flags >> FlagShift.RES) & 3,
    pcUpdate: (flags >> FlagShift.PC) & 7,
    apUpdate: (flags >> FlagShift.AP) & 3,
    opcode: flags >> FlagShift.OPCODE,
  };
}
