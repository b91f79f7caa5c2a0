import { FIELD_PRIME } from "#base/primitives/index.ts";
import {
  type CasmClass,
  type CasmEntryPoint,
  type EntryPointType,
  type SierraClass,
} from "#protocol/chain/index.ts";
import type { BuiltinName } from "#protocol/versions/index.ts";
import { assemble } from "../casm/assemble.ts";
import { type CompiledProgram, compileProgram } from "../compile/compiler.ts";
import { circuitInfoOf } from "../libfuncs/circuit/circuit-info-of.ts";
import { LIBFUNCS } from "../libfuncs/index.ts";
import type { CostToken } from "../libfunc/branch-cost.ts";
import { LEGACY_SOLVERS } from "../metadata/legacy/legacy-solvers.ts";
import { LINEAR_SOLVERS } from "../metadata/linear-solvers.ts";
import { computeMetadata } from "../metadata/metadata.ts";
import type { Program } from "../program/program.ts";
import { createRegistry } from "../registry/registry.ts";
import { checkAllowed } from "./allowed.ts";
import { decodeProgram } from "./decode.ts";
import { checkEntryPointLists } from "./entry-points.ts";
import { entryPointBuiltins } from "./entry-signature.ts";
import { hintJson } from "./hint-json.ts";
import { functionStarts, segmentLengths } from "./segments.ts";
import { selfChecked } from "./self-checked.ts";
import {
  LINEAR_METADATA_SINCE,
  SEGMENTED_SINCE,
  type SierraVersion,
  supports,
} from "./sierra-version.ts";

/** Version of the reference compiler that this one reproduces; compiled classes record it. */
export const COMPILER_VERSION = "2.20.0";

/**
 * Must be raised when the same class may compile to different code than before: cached results are then
 * stale.
 */
export const COMPILER_REVISION = 1;

/** Gas consumed at the start of an entry point; callers pay it. */
const ENTRY_POINT_COST: ReadonlyMap<CostToken, number> = new Map([["Const", 10_000]]);

/** What a compilation accepts: the size of its bytecode, and the libfuncs that a class uses. */
export interface CompileLimits {
  /** Maximum bytecode size in felts. */
  readonly maxBytecodeSize: number;
  /** Accepted libfuncs: those that networks accept (`audited`, the default), or all that are supported. */
  readonly libfuncs?: "audited" | "all";
}

/**
 * Compiles a Sierra class to CASM, with the same result as the reference compiler.
 *
 * @throws {CompileError} when networks would not accept the class; its code names the reason
 */
export function compileClass(sierraClass: SierraClass, limits: CompileLimits): CasmClass {
  return selfChecked(() => casmClass(sierraClass, limits));
}

function casmClass(sierraClass: SierraClass, limits: CompileLimits): CasmClass {
  const { version, program } = decodeProgram(sierraClass.sierraProgram);
  if (limits.libfuncs !== "all") {
    checkAllowed(program, version, (genericId) => Object.hasOwn(LIBFUNCS, genericId));
  }
  checkEntryPointLists(sierraClass);
  const registry = createRegistry(program, LIBFUNCS, circuitInfoOf);
  const builtins = builtinsOfEntryPoints(program, sierraClass);
  const enforced = new Map([...builtins.keys()].map((index) => [index, ENTRY_POINT_COST]));
  const solvers = supports(version, LINEAR_METADATA_SINCE) ? LINEAR_SOLVERS : LEGACY_SOLVERS;
  const metadata = computeMetadata(program, registry, { enforced, solvers });
  const code = compileProgram(program, registry, metadata, limits);
  const { bytecode, hints } = assemble(code);
  const entryPoint = (selector: bigint, functionIdx: number): CasmEntryPoint => ({
    selector,
    offset: offsetOf(code, program.functions[functionIdx]?.entry ?? 0),
    builtins: builtins.get(functionIdx) ?? [],
  });
  const entryPoints = (type: EntryPointType): CasmEntryPoint[] =>
    sierraClass.entryPoints[type].map((each) => entryPoint(each.selector, each.functionIdx));
  return {
    prime: FIELD_PRIME,
    compilerVersion: COMPILER_VERSION,
    bytecode: bytecode.map(reduced),
    bytecodeSegmentLengths: segmentsOf(program, version, code, bytecode.length),
    hints: new Map(hints.map(([offset, list]) => [offset, list.map(hintJson)])),
    entryPoints: {
      EXTERNAL: entryPoints("EXTERNAL"),
      L1_HANDLER: entryPoints("L1_HANDLER"),
      CONSTRUCTOR: entryPoints("CONSTRUCTOR"),
    },
  };
}

/** Builtins of each function used as an entry point; checks the functions' signatures. */
function builtinsOfEntryPoints(
  program: Program,
  { entryPoints }: SierraClass,
): ReadonlyMap<number, readonly BuiltinName[]> {
  const found = new Map<number, readonly BuiltinName[]>();
  for (const type of ["EXTERNAL", "L1_HANDLER", "CONSTRUCTOR"] as const) {
    for (const { functionIdx } of entryPoints[type]) {
      if (found.has(functionIdx)) continue;
      found.set(functionIdx, entryPointBuiltins(program, functionIdx));
    }
  }
  return found;
}

function segmentsOf(
  program: Program,
  version: SierraVersion,
  code: CompiledProgram,
  length: number,
): CasmClass["bytecodeSegmentLengths"] {
  if (!supports(version, SEGMENTED_SINCE)) return null;
  // A class without functions has no segments.
  if (length === 0) return 0;
  const functions = functionStarts(program).map((statement) => offsetOf(code, statement));
  const constants = code.constSegments.map(({ offset }) => code.codeSize + offset);
  return segmentLengths([...functions, ...constants], length);
}

function offsetOf({ statementOffsets }: CompiledProgram, statement: number): number {
  return statementOffsets[statement] ?? 0;
}

function reduced(value: bigint): bigint {
  const rest = value % FIELD_PRIME;
  return rest < 0n ? rest + FIELD_PRIME : rest;
}
