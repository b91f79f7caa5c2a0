import type { CasmHashFunction } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";

/** Compiled code of a Sierra class, as produced by a compiler and stored. */
export interface CompiledClass {
  /** The canonical JSON text of the CASM (`compiled_contract_class.json`), in one line. */
  readonly casmJson: string;
  /** Bytecode length in felts. */
  readonly bytecodeLength: number;
  /** The compiled class hash under each hash function that declarations may use. */
  readonly hashes: Readonly<Record<CasmHashFunction, Felt>>;
}

/** Outcome of one compilation. */
export type CompilerAnswer =
  | { readonly kind: "compiled"; readonly compiled: CompiledClass }
  /** The class cannot be compiled; `code` and `message` of the compiler's error. */
  | { readonly kind: "failed"; readonly code: string; readonly message: string }
  /** The compiler was killed because it exceeded its memory limit. */
  | { readonly kind: "outOfMemory"; readonly limitBytes: number }
  /** The compiler was killed because it exceeded its limit of processor time. */
  | { readonly kind: "outOfTime"; readonly limitMs: number }
  /** The compiler ended midway: it was killed, or the class crashed it. */
  | { readonly kind: "ended"; readonly reason: string }
  /** The compiler could not be started; the class was not examined. */
  | { readonly kind: "unavailable"; readonly reason: string };

/** A class to compile. */
export interface CompilerWork {
  readonly classHash: Felt;
  /** The Sierra class as encoded by `encodeContractClass`. */
  readonly classBytes: Uint8Array;
}

/** A compiler that can be killed at any moment and restarts for the next class. */
export interface Compiler {
  /** Compiles one class, or returns a cached result; not called again before it settles. Never rejects. */
  compile(work: CompilerWork): Promise<CompilerAnswer>;
  /** Kills the current compilation, which then yields `ended`. */
  kill(): void;
}
