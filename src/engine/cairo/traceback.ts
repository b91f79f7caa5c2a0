import {
  type Address,
  type CellValue,
  INSTRUCTION,
  instructionFlags,
  type VmKernel,
} from "#kernels/vm/index.ts";

const { ApUpdate, Op1, Opcode, PcUpdate, Res } = INSTRUCTION;

const OPERAND_SOURCES: ReadonlySet<number> = new Set(Object.values(Op1));

const MAX_ENTRIES = 20;

/**
 * Program counters of the calls that lead to the running frame's current instruction, outermost first; at
 * most 20. They are found from the frame pointer; a return address that does not follow a call instruction
 * ends the list (cairo-vm: `get_traceback_entries`).
 */
export function traceback(kernel: VmKernel): Address[] {
  const calls: Address[] = [];
  let fp: Address = { segment: 1, offset: kernel.fp };
  for (let i = 0; i < MAX_ENTRIES; i++) {
    const returnPc = before(kernel, fp, 1);
    const callerFp = before(kernel, fp, 2);
    if (typeof returnPc !== "object" || typeof callerFp !== "object") break;
    if (callerFp.segment === fp.segment && callerFp.offset === fp.offset) break;
    fp = callerFp;
    const size = callSize(kernel, returnPc);
    if (size === undefined) break;
    calls.push({ segment: returnPc.segment, offset: returnPc.offset - size });
  }
  return calls.toReversed();
}

function before(kernel: VmKernel, { segment, offset }: Address, distance: number): CellValue {
  return offset < distance ? undefined : kernel.read({ segment, offset: offset - distance });
}

/**
 * Number of cells of the call instruction before a return address; `undefined` if there is no such
 * instruction.
 */
function callSize(kernel: VmKernel, returnPc: Address): number | undefined {
  const last = before(kernel, returnPc, 1);
  if (typeof last !== "bigint") return undefined;
  if (isCallInstruction(last)) return 1;
  const first = before(kernel, returnPc, 2);
  return typeof first === "bigint" && isCallInstruction(first) ? 2 : undefined;
}

/** Whether a word is a call: dst and op0 at ap and ap + 1, result op1, ap update left to the call. */
function isCallInstruction(word: bigint): boolean {
  if (word >> 63n !== 0n) return false;
  const { isDstFp, isOp0Fp, op1, res, pcUpdate, apUpdate, opcode } = instructionFlags(
    Number(word >> 48n),
  );
  return (
    (word & 0xffffffffn) === 0x80018000n &&
    !isDstFp &&
    !isOp0Fp &&
    OPERAND_SOURCES.has(op1) &&
    res === Res.OP1 &&
    (pcUpdate === PcUpdate.JUMP || pcUpdate === PcUpdate.JUMP_REL) &&
    apUpdate === ApUpdate.REGULAR &&
    opcode === Opcode.CALL
  );
}
