import type { BuiltinName } from "#protocol/versions/index.ts";
import type { Felt } from "#base/primitives/index.ts";

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

/**
 * A Cairo 0 class as it is sent. Unpacked it may have a thousand times the bytes, so that nobody unpacks
 * it who has others waiting.
 */
export interface PackedLegacyClass {
  readonly kind: "packed";
  /** Base64 of gzip of the program's JSON text. */
  readonly program: string;
  /** JSON text of `entry_points_by_type`. */
  readonly entryPoints: string;
  /** JSON text of the ABI; empty when the class has none. */
  readonly abi: string;
}

/** A Sierra class as gateways take it. Its program may be as packed, for the same reason. */
export interface PackedSierraClass extends Omit<SierraClass, "kind" | "sierraProgram"> {
  readonly kind: "packed-sierra";
  /** Base64 of gzip of the program's JSON text. */
  readonly program: string;
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

/** Executable form of a Sierra class. */
export interface SierraExecutable {
  readonly classHash: Felt;
  readonly casm: CasmClass;
  readonly sierraVersion: readonly [number, number, number];
  readonly sierraProgramLength: number;
  readonly abiLength: number;
}

/** Executable form of a Cairo 0 class, which has no compiled code beside the program itself. */
export interface LegacyExecutable {
  readonly classHash: Felt;
  readonly casm: null;
  readonly program: LegacyProgram;
  readonly abiLength: number;
}

/**
 * What execution needs of a declared class; `casm === null` tells Cairo 0 classes. `sierraVersion`
 * decides whether a class is metered by gas; the lengths are part of the declare fee.
 */
export type ExecutableClass = SierraExecutable | LegacyExecutable;

/** An entry point of a Cairo 0 class; selector 0 is the default one. */
export interface LegacyEntryPoint {
  readonly selector: Felt;
  readonly offset: number;
}

/** Where the allocation pointer stood, relative to others of the same group. */
export interface ApTracking {
  readonly group: number;
  readonly offset: number;
}

/** One term of a reference: a number, or a register with an offset, perhaps the cell there. */
export type LegacyTerm =
  | { readonly kind: "number"; readonly value: Felt }
  | {
      readonly kind: "register";
      readonly register: "ap" | "fp";
      readonly offset: number;
      readonly isCell: boolean;
    };

/**
 * How a Cairo 0 variable is computed: `first + second` (or `-`), then up to two dereferences. The
 * outer one is left out when the variable's address is wanted.
 */
export interface LegacyReference {
  readonly first: LegacyTerm;
  readonly second: LegacyTerm;
  readonly isDifference: boolean;
  readonly inner: boolean;
  readonly outer: boolean;
  readonly apTracking: ApTracking;
  /** Type behind the cast, with its pointer levels. */
  readonly type: string;
}

/** A Python hint: its text, and the references of the variables that it may name. */
export interface LegacyHint {
  readonly code: string;
  readonly apTracking: ApTracking;
  /** By the variable's own name; values are indices of the program's references. */
  readonly variables: ReadonlyMap<string, number>;
}

/** A text that errors between two program counters begin with. */
export interface LegacyErrorMessage {
  readonly startPc: number;
  readonly endPc: number;
  readonly text: string;
  readonly apTracking: ApTracking | null;
  readonly variables: ReadonlyMap<string, number>;
}

/** The program of a Cairo 0 class as execution needs it. */
export interface LegacyProgram {
  readonly bytecode: readonly Felt[];
  readonly builtins: readonly BuiltinName[];
  readonly hints: ReadonlyMap<number, readonly LegacyHint[]>;
  /** Constants by full name. */
  readonly constants: ReadonlyMap<string, Felt>;
  /** `undefined` for forms that no hint can use. */
  readonly references: readonly (LegacyReference | undefined)[];
  readonly errorMessages: readonly LegacyErrorMessage[];
  readonly entryPoints: Readonly<Record<EntryPointType, readonly LegacyEntryPoint[]>>;
}
