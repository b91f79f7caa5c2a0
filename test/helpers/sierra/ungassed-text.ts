import { CompileError } from "#engine/sierra/compile-error.ts";
import { type CompiledProgram, compileProgram } from "#engine/sierra/compile/compiler.ts";
import { circuitInfoOf } from "#engine/sierra/libfuncs/circuit/circuit-info-of.ts";
import { LIBFUNCS } from "#engine/sierra/libfuncs/index.ts";
import { solveApChanges } from "#engine/sierra/metadata/ap-changes.ts";
import { apFlow } from "#engine/sierra/metadata/ap-flow.ts";
import type { Metadata } from "#engine/sierra/metadata/metadata.ts";
import { programInfo } from "#engine/sierra/metadata/program-info.ts";
import type { Program } from "#engine/sierra/program/program.ts";
import { createRegistry, type Registry } from "#engine/sierra/registry/registry.ts";
import { printInstruction } from "./casm-printer.ts";
import { parseSierra } from "./text-parser.ts";

/** Compiles a Sierra text without gas. Wrong changes of `ap` are visible in its code. */
export function compileUngassed(
  text: string,
  maxBytecodeSize: number = Number.MAX_SAFE_INTEGER,
): CompiledProgram {
  const program = parseSierra(text);
  const registry = createRegistry(program, LIBFUNCS, circuitInfoOf);
  const metadata = apOnly(program, registry);
  return compileProgram(program, registry, metadata, { maxBytecodeSize, checkGas: false });
}

/** Lines of its CASM. */
export function ungassedLines(text: string): string[] {
  const { instructions, constSegments } = compileUngassed(text);
  const constants = constSegments.flatMap(({ values }) => [
    "ret;",
    ...values.map((value) => `dw ${value};`),
  ]);
  return [...instructions.map(printInstruction), ...constants];
}

function apOnly(program: Program, registry: Registry): Metadata {
  const gas = { gasVariables: () => undefined, functionCosts: new Map() };
  try {
    const flow = apFlow(program, registry.libfuncs, programInfo(registry), () => 0);
    const { functions, variables } = solveApChanges(program, flow);
    return { ...gas, functionApChanges: functions, apVariables: variables };
  } catch (error) {
    if (!(error instanceof CompileError)) throw error;
    return { ...gas, functionApChanges: new Map(), apVariables: new Map() };
  }
}
