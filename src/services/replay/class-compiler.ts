import type { Felt } from "#base/primitives/index.ts";
import type { CasmClass, SierraClass } from "#protocol/chain/index.ts";

/** What came of compiling a class. */
export type Compilation =
  | { readonly kind: "compiled"; readonly casm: CasmClass }
  /** It cannot be compiled. */
  | { readonly kind: "failed"; readonly reason: string }
  /** It took more time or memory than it may here, or its process ended: that says nothing of the class. */
  | { readonly kind: "unfinished"; readonly reason: string };

/** Compiles classes that a node gives: hints of compiled code are in no hash, those of our own are known. */
export interface ReplayCompiler {
  /** @throws {NodeError} when there is no compiler to be had */
  compile(classHash: Felt, contractClass: SierraClass): Promise<Compilation>;
}
