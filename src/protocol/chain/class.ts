import type { BuiltinName } from "#protocol/versions/index.ts";
import type { Felt } from "#base/primitives/index.ts";

/** The three tables of entry points of a class. */
export type EntryPointType = "EXTERNAL" | "L1_HANDLER" | "CONSTRUCTOR";

/** Entry point of a Sierra class: the selector and the function it names. */
export interface SierraEntryPoint {
  readonly selector: Felt;
  readonly functionIdx: number;
}

/** Sierra class as declared. `abi` is the exact received text: the class hash depends on every character. */
export interface SierraClass {
  readonly kind: "sierra";
  readonly sierraProgram: readonly Felt[];
  readonly contractClassVersion: string;
  readonly entryPoints: Readonly<Record<EntryPointType, readonly SierraEntryPoint[]>>;
  readonly abi: string;
}

/**
 * Cairo 0 class as JSON text `{abi, entry_points_by_type, program}`, on which the class hash depends. The
 * program's text is as declared; the node writes the rest when the class arrived packed (see
 * `unpackLegacyClass`).
 */
export interface LegacyClass {
  readonly kind: "legacy";
  readonly json: string;
}

/**
 * Cairo 0 class as it is sent. Unpacking may multiply its size by a thousand, so it must not happen on a
 * thread that serves others.
 */
export interface PackedLegacyClass {
  readonly kind: "packed";
  /** Base64 of the gzipped JSON text of the program. */
  readonly program: string;
  readonly entryPoints: string;
  /** JSON text of the ABI; empty when the class has none. */
  readonly abi: string;
}

/** Sierra class as gateways accept it. Its program may be equally compressed, with the same caution. */
export interface PackedSierraClass extends Omit<SierraClass, "kind" | "sierraProgram"> {
  readonly kind: "packed-sierra";
  /** Base64 of the gzipped JSON text of the program. */
  readonly program: string;
}

/** Class as declared. */
export type ContractClass = SierraClass | LegacyClass;

/** Entry point of compiled code: `offset` is the program counter of its first instruction. */
export interface CasmEntryPoint {
  readonly selector: Felt;
  readonly offset: number;
  readonly builtins: readonly BuiltinName[];
}

/** Nested segment lengths of the bytecode; a number is a leaf. */
export type BytecodeSegmentLengths = number | readonly BytecodeSegmentLengths[];

/**
 * Compiled code of a Sierra class. `hints` holds, per program counter, the hints in the JSON form of the
 * Sierra compiler (`{"TestLessThan": {...}}`), in the order in which they run before the instruction.
 */
export interface CasmClass {
  readonly prime: bigint;
  readonly compilerVersion: string;
  readonly bytecode: readonly Felt[];
  readonly bytecodeSegmentLengths: BytecodeSegmentLengths | null;
  readonly hints: ReadonlyMap<number, readonly unknown[]>;
  readonly entryPoints: Readonly<Record<EntryPointType, readonly CasmEntryPoint[]>>;
}

/** Executable form of a Sierra class. */
export interface SierraExecutable {
  readonly classHash: Felt;
  readonly casm: CasmClass;
  readonly sierraVersion: readonly [number, number, number];
  readonly sierraProgramLength: number;
  readonly abiLength: number;
}

/** Executable form of a Cairo 0 class, which has no compiled code besides the program itself. */
export interface LegacyExecutable {
  readonly classHash: Felt;
  readonly casm: null;
  readonly program: LegacyProgram;
  readonly abiLength: number;
}

/**
 * Executable form of a declared class; `casm === null` marks Cairo 0 classes. `sierraVersion` decides whether
 * a class is metered by gas; the lengths are part of the declare fee.
 */
export type ExecutableClass = SierraExecutable | LegacyExecutable;

/** Entry point of a Cairo 0 class; selector 0 is the default one. */
export interface LegacyEntryPoint {
  readonly selector: Felt;
  readonly offset: number;
}

/** Value of the allocation pointer, relative to others of the same group. */
export interface ApTracking {
  readonly group: number;
  readonly offset: number;
}

/** Term of a reference: a number, or a register plus offset, optionally dereferenced. */
export type LegacyTerm =
  | { readonly kind: "number"; readonly value: Felt }
  | {
      readonly kind: "register";
      readonly register: "ap" | "fp";
      readonly offset: number;
      readonly isCell: boolean;
    };

/**
 * Expression of a Cairo 0 variable: `first + second` (or `-`), then up to two dereferences. The outer one is
 * omitted when the variable's address is needed.
 */
export interface LegacyReference {
  readonly first: LegacyTerm;
  readonly second: LegacyTerm;
  readonly isDifference: boolean;
  readonly inner: boolean;
  readonly outer: boolean;
  readonly apTracking: ApTracking;
  /** Target type of the cast, with its pointer levels. */
  readonly type: string;
}

/** Python hint: its text, and the references of the variables that it may name. */
export interface LegacyHint {
  readonly code: string;
  readonly apTracking: ApTracking;
  /** Indices into the program's references, by unqualified variable name. */
  readonly variables: ReadonlyMap<string, number>;
}

/** Prefix of error messages between two program counters. */
export interface LegacyErrorMessage {
  readonly startPc: number;
  readonly endPc: number;
  readonly text: string;
  readonly apTracking: ApTracking | null;
  readonly variables: ReadonlyMap<string, number>;
}

/** Program of a Cairo 0 class in executable form. */
export interface LegacyProgram {
  readonly bytecode: readonly Felt[];
  readonly builtins: readonly BuiltinName[];
  readonly hints: ReadonlyMap<number, readonly LegacyHint[]>;
  /** Constants by full name. */
  readonly constants: ReadonlyMap<string, Felt>;
  /** Entries are `undefined` for forms that no hint can use. */
  readonly references: readonly (LegacyReference | undefined)[];
  readonly errorMessages: readonly LegacyErrorMessage[];
  readonly entryPoints: Readonly<Record<EntryPointType, readonly LegacyEntryPoint[]>>;
}
