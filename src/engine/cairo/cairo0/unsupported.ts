import { INSTRUCTION, type InstructionFlags, instructionFlags } from "#kernels/vm/index.ts";
import type { LegacyProgram } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { isKnownHint } from "./program.ts";

/** Maximum characters of a hint in error texts; hints of Cairo's own library are shorter. */
const SHOWN = 2_000;

/** Bit positions of flags and extension in an instruction. */
const FLAGS_AT = 48n;
const EXTENSION_AT = 63n;
const FLAGS = 0x7fffn;

const QM31 = BigInt(INSTRUCTION.Extension.QM31);

/**
 * Feature of a Cairo 0 program that this machine lacks although others may have it: an unknown hint, or an
 * instruction of the QM31 extension. Does not examine whether the code is reachable.
 *
 * @returns the first such feature with its location, hints first; `undefined` if all are supported
 */
export function unsupportedInLegacy({ hints, bytecode }: LegacyProgram): string | undefined {
  for (const [pc, list] of hints) {
    const unknown = list.find(({ code }) => !isKnownHint(code));
    if (unknown !== undefined) return `the hint at program counter ${pc}: ${shown(unknown.code)}`;
  }
  const at = qm31Instruction(bytecode);
  return at === undefined ? undefined : `the QM31 instruction at program counter ${at}`;
}

/** Program counter of the first QM31 instruction when the program is decoded from its start. */
function qm31Instruction(bytecode: readonly Felt[]): number | undefined {
  const { Op1, Extension } = INSTRUCTION;
  for (let pc = 0; pc < bytecode.length; pc++) {
    const word = bytecode[pc] ?? 0n;
    const extension = word >> EXTENSION_AT;
    if (extension > Extension.QM31) continue;
    const flags = instructionFlags(Number((word >> FLAGS_AT) & FLAGS));
    if (extension === QM31 && isQm31(flags)) return pc;
    if (flags.op1 === Op1.IMMEDIATE) pc++;
  }
  return undefined;
}

/** Whether flags with this extension form a valid instruction. Source: cairo-vm 3.2.0, `decoder.rs`. */
function isQm31({ op1, res, pcUpdate, apUpdate, opcode }: InstructionFlags): boolean {
  const { Op1, Res, PcUpdate, ApUpdate, Opcode } = INSTRUCTION;
  return (
    (op1 === Op1.IMMEDIATE || op1 === Op1.FP || op1 === Op1.AP) &&
    (res === Res.ADD || res === Res.MUL) &&
    pcUpdate === PcUpdate.REGULAR &&
    (apUpdate === ApUpdate.REGULAR || apUpdate === ApUpdate.ADD1) &&
    opcode === Opcode.ASSERT_EQ
  );
}

function shown(code: string): string {
  return code.length > SHOWN ? `${code.slice(0, SHOWN)}…` : code;
}
