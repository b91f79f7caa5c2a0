import type { Instruction } from "#engine/sierra/casm/instruction.ts";
import type { CellRef, DerefOrImmediate, ResOperand } from "#engine/sierra/casm/operand.ts";

/**
 * An instruction in the format of the reference compiler, without hints: `[ap + 0] = [fp + -3],
 * ap++;`.
 */
export function printInstruction({ body, incAp }: Instruction): string {
  const end = incAp ? ", ap++;" : ";";
  switch (body.kind) {
    case "add_ap":
      return `ap += ${res(body.operand)}${end}`;
    case "assert_eq":
      return `${cell(body.a)} = ${res(body.b)}${end}`;
    case "qm31_assert_eq":
      return `{QM31} ${cell(body.a)} = ${res(body.b)}${end}`;
    case "call":
      return `call ${body.relative ? "rel" : "abs"} ${operand(body.target)}${end}`;
    case "jump":
      return `jmp ${body.relative ? "rel" : "abs"} ${operand(body.target)}${end}`;
    case "jnz":
      return `jmp rel ${operand(body.target)} if ${cell(body.condition)} != 0${end}`;
    case "ret":
      return `ret${end}`;
    case "blake2s_compress":
      return (
        `blake2s[state=${cell(body.state)}, message=${cell(body.message)}, ` +
        `byte_count=${cell(body.byteCount)}, finalize=${body.finalize}] => [ap + 0]${end}`
      );
  }
}

function cell({ register, offset }: CellRef): string {
  return `[${register} + ${offset}]`;
}

function operand(value: DerefOrImmediate): string {
  return value.kind === "deref" ? cell(value.cell) : value.value.toString();
}

function res(value: ResOperand): string {
  switch (value.kind) {
    case "deref":
    case "immediate":
      return operand(value);
    case "double_deref":
      return `[${cell(value.cell)} + ${value.offset}]`;
    case "bin_op":
      return `${cell(value.a)} ${value.op === "add" ? "+" : "*"} ${operand(value.b)}`;
  }
}
