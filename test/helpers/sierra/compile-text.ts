import { compileProgram } from "#engine/sierra/compile/compiler.ts";
import { LIBFUNCS } from "#engine/sierra/libfuncs/index.ts";
import { circuitInfoOf } from "#engine/sierra/libfuncs/circuit/circuit-info-of.ts";
import type { CostToken } from "#engine/sierra/libfunc/branch-cost.ts";
import { LINEAR_SOLVERS } from "#engine/sierra/metadata/linear-solvers.ts";
import { computeMetadata, type Metadata } from "#engine/sierra/metadata/metadata.ts";
import type { Solvers } from "#engine/sierra/metadata/solvers.ts";
import type { Program } from "#engine/sierra/program/program.ts";
import { createRegistry, type Registry } from "#engine/sierra/registry/registry.ts";
import { printInstruction } from "./casm-printer.ts";
import { parseSierra } from "./text-parser.ts";

/** Fixed costs by function name. */
export type EnforcedCosts = ReadonlyMap<string, number>;

/** A program with the analysis that precedes code generation. */
export interface AnalyzedText {
  readonly program: Program;
  readonly registry: Registry;
  readonly metadata: Metadata;
}

/**
 * Parses a Sierra text, and computes its gas and `ap` changes by the current rules or by others.
 */
export function analyzeSierra(
  text: string,
  enforced: EnforcedCosts = new Map(),
  solvers: Solvers = LINEAR_SOLVERS,
): AnalyzedText {
  const program = parseSierra(text);
  const registry = createRegistry(program, LIBFUNCS, circuitInfoOf);
  const costs = program.functions.flatMap(({ name }, index) => {
    const gas = enforced.get(name);
    return gas === undefined
      ? []
      : [[index, new Map<CostToken, number>([["Const", gas]])] as const];
  });
  const metadata = computeMetadata(program, registry, { enforced: new Map(costs), solvers });
  return { program, registry, metadata };
}

/** CASM of a Sierra text, in the format of the reference compiler, without hints. */
export function compileSierra({ program, registry, metadata }: AnalyzedText): string {
  const code = compileProgram(program, registry, metadata, {
    maxBytecodeSize: Number.MAX_SAFE_INTEGER,
  });
  const constants = code.constSegments.flatMap(({ values }) => [
    "ret;",
    ...values.map((value) => `dw ${value};`),
  ]);
  return [...code.instructions.map(printInstruction), ...constants].join("\n");
}

/** A printed program without its hints. */
export function withoutHints(casm: string): string {
  return casm
    .replaceAll(/%\{[^]*?%\}/g, "")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .join("\n");
}
