import type { Felt } from "#primitives/index.ts";

/** Builtins that a compiled entry point may list, by their CASM names. */
export const BUILTIN_NAMES = [
  "output",
  "pedersen",
  "range_check",
  "ecdsa",
  "bitwise",
  "ec_op",
  "keccak",
  "poseidon",
  "segment_arena",
  "range_check96",
  "add_mod",
  "mul_mod",
] as const;

/** A builtin of the Cairo machine. */
export type BuiltinName = (typeof BUILTIN_NAMES)[number];

/** The three tables of entry points of a class. */
export type EntryPointType = "EXTERNAL" | "L1_HANDLER" | "CONSTRUCTOR";

/** An entry point of a Sierra class: the selector and the function it names. */
export interface SierraEntryPoint {
  readonly selector: Felt;
  readonly functionIdx: number;
}

/**
 * A Sierra class as declared. `abi` is the text exactly as received: the class hash depends on every
 * character of it.
 */
export interface SierraClass {
  readonly kind: "sierra";
  readonly sierraProgram: readonly Felt[];
  readonly contractClassVersion: string;
  readonly entryPoints: Readonly<Record<EntryPointType, readonly SierraEntryPoint[]>>;
  readonly abi: string;
}

/** A Cairo 0 class, kept as the JSON text it was declared with. */
export interface LegacyClass {
  readonly kind: "legacy";
  readonly json: string;
}

/** A class as declared. */
export type ContractClass = SierraClass | LegacyClass;

/** An entry point of compiled code: `offset` is the program counter of its first instruction. */
export interface CasmEntryPoint {
  readonly selector: Felt;
  readonly offset: number;
  readonly builtins: readonly BuiltinName[];
}

/** Nested segment lengths of the bytecode; a number is a leaf. */
export type BytecodeSegmentLengths = number | readonly BytecodeSegmentLengths[];

/**
 * Compiled code of a Sierra class. `hints` holds, by program counter, the hints in the JSON form of
 * the Sierra compiler (`{"TestLessThan": {...}}`), to be run before the instruction in that order.
 */
export interface CasmClass {
  readonly prime: bigint;
  readonly compilerVersion: string;
  readonly bytecode: readonly Felt[];
  readonly bytecodeSegmentLengths: BytecodeSegmentLengths | null;
  readonly hints: ReadonlyMap<number, readonly unknown[]>;
  readonly entryPoints: Readonly<Record<EntryPointType, readonly CasmEntryPoint[]>>;
}

/**
 * What execution needs of a declared Sierra class. `sierraVersion` decides whether the class is
 * metered by gas; the two lengths are part of the declare fee.
 */
export interface ExecutableClass {
  readonly classHash: Felt;
  readonly casm: CasmClass;
  readonly sierraVersion: readonly [number, number, number];
  readonly sierraProgramLength: number;
  readonly abiLength: number;
}
