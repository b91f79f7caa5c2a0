import type { Instruction } from "../casm/instruction.ts";
import { CompileError } from "../compile-error.ts";
import type { Metadata } from "../metadata/metadata.ts";
import { programInfo } from "../metadata/program-info.ts";
import type { Program } from "../program/program.ts";
import { Annotations } from "./annotations.ts";
import { CodeBuffer } from "./code-buffer.ts";
import { type ConstSegment, ConstSegments } from "./const-segments.ts";
import { relocate } from "./relocations.ts";
import { requireReturn } from "./return-statement.ts";
import type { RegistrySource } from "./sources.ts";
import { atStatement } from "./statement-error.ts";
import { InvocationCompiler } from "./invocation-compiler.ts";

/** Code of a Sierra program. Offsets are in felts. */
export interface CompiledProgram {
  readonly instructions: readonly Instruction[];
  /** Size of the instructions in felts; constants follow them. */
  readonly codeSize: number;
  /** Code offset of each statement. */
  readonly statementOffsets: readonly number[];
  /** Constants that the code refers to; offsets are relative to the end of the instructions. */
  readonly constSegments: readonly ConstSegment[];
}

/** Options of {@link compileProgram}. */
export interface CompileOptions {
  /** Maximum size of code and constants together, in felts. */
  readonly maxBytecodeSize: number;
  /** Whether gas must suffice at each statement. Default: true. */
  readonly checkGas?: boolean;
}

/**
 * Compiles a Sierra program to CASM, statement by statement. It tracks all variables, `ap`, locals and gas,
 * and accepts only what holds on all paths, so that the generated code is safe.
 *
 * Source: Sierra compiler.
 *
 * @throws {CompileError} SIERRA_INVALID when a statement breaks a rule, with its index and its libfunc;
 *   CASM_TOO_LARGE when the code exceeds the limit
 */
export function compileProgram(
  program: Program,
  registry: RegistrySource,
  metadata: Metadata,
  { maxBytecodeSize, checkGas = true }: CompileOptions,
): CompiledProgram {
  const info = programInfo(registry);
  const annotations = new Annotations(program);
  program.functions.forEach((declaration, id) => {
    const wallet = checkGas ? (metadata.functionCosts.get(id) ?? new Map()) : undefined;
    atStatement(program, declaration.entry, () => annotations.enter(id, declaration, info, wallet));
  });
  const code = new CodeBuffer();
  const sources = { program, registry, metadata, info };
  const invocations = new InvocationCompiler(sources, annotations, code, checkGas);
  const statementOffsets: number[] = [];
  program.statements.forEach((statement, index) => {
    if (code.size > maxBytecodeSize) refuseSize(maxBytecodeSize);
    statementOffsets.push(code.size);
    atStatement(program, index, () => {
      const input = annotations.take(index, statement.args);
      if (statement.kind === "invocation") invocations.compile(index, statement, input);
      else {
        requireReturn(input, program, metadata);
        code.append([RET]);
      }
    });
  });
  const codeSize = code.size;
  if (codeSize > maxBytecodeSize) refuseSize(maxBytecodeSize);
  const constants = new ConstSegments(program.libfuncs, registry, maxBytecodeSize - codeSize);
  const { instructions, offsets, relocations } = code;
  relocate(instructions, offsets, relocations, { statementOffsets, codeSize, constants });
  return { instructions, codeSize, statementOffsets, constSegments: constants.segments };
}

const RET: Instruction = { body: { kind: "ret" }, incAp: false, hints: [] };

function refuseSize(limit: number): never {
  throw new CompileError("CASM_TOO_LARGE", `code takes more than ${limit} felts`);
}
