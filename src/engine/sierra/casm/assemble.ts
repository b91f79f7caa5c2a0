import { encodeInstruction } from "./encode.ts";
import type { Hint } from "./hint.ts";
import type { Instruction } from "./instruction.ts";

/** Code, followed by its constants. */
export interface CasmProgram {
  readonly instructions: readonly Instruction[];
  /** Constant segments in order; each is preceded by a `ret`. */
  readonly constSegments: readonly { readonly values: readonly bigint[] }[];
}

/** Program in executable form. */
export interface AssembledProgram {
  /** Unreduced felts, some of them negative. */
  readonly bytecode: readonly bigint[];
  /** Hints by the offset of the instruction before which they run, in ascending order. */
  readonly hints: readonly (readonly [offset: number, hints: readonly Hint[]])[];
}

/** Lays out code and constants. */
export function assemble(program: CasmProgram): AssembledProgram {
  const bytecode: bigint[] = [];
  const hints: (readonly [number, readonly Hint[]])[] = [];
  for (const instruction of program.instructions) {
    if (instruction.hints.length > 0) hints.push([bytecode.length, instruction.hints]);
    for (const felt of encodeInstruction(instruction)) bytecode.push(felt);
  }
  for (const { values } of program.constSegments) {
    for (const felt of encodeInstruction({ body: { kind: "ret" }, incAp: false, hints: [] })) {
      bytecode.push(felt);
    }
    for (const value of values) bytecode.push(value);
  }
  return { bytecode, hints };
}
