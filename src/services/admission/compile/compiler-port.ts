import type { CasmHashFunction } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";

/** Compiled code of a Sierra class, as a compiler gives it and a store keeps it. */
export interface CompiledClass {
  /** The canonical JSON text of the CASM (`compiled_contract_class.json`), in one line. */
  readonly casmJson: string;
  /** Felts of the bytecode in it. */
  readonly bytecodeLength: number;
  /** The compiled class hash by each of the hash functions that declarations may use. */
  readonly hashes: Readonly<Record<CasmHashFunction, Felt>>;
}

/** What became of one compilation. */
export type CompilerAnswer =
  | { readonly kind: "compiled"; readonly compiled: CompiledClass }
  /** The class cannot be compiled; `code` and `message` of the compiler's error. */
  | { readonly kind: "failed"; readonly code: string; readonly message: string }
  /** The compiler was ended because it took more memory than it may. */
  | { readonly kind: "outOfMemory"; readonly limitBytes: number }
  /** The compiler was killed because it exceeded its bound of processor time. */
  | { readonly kind: "outOfTime"; readonly limitMs: number }
  /** The compiler ended in the middle: it was killed, or died of the class. */
  | { readonly kind: "ended"; readonly reason: string }
  /** The compiler could not be started; the class was not looked at. */
  | { readonly kind: "unavailable"; readonly reason: string };

/** A class for a compiler. */
export interface CompilerWork {
  readonly classHash: Felt;
  /** The Sierra class of `encodeContractClass`. */
  readonly classBytes: Uint8Array;
}

/** A compiler that can be ended at any moment and is there again for the next class. */
export interface Compiler {
  /** Compiles one class, or knows it from before; called again only after the answer. Never rejects. */
  compile(work: CompilerWork): Promise<CompilerAnswer>;
  /** Ends the compilation at hand, which then answers `ended`. */
  kill(): void;
}
