import type { Felt } from "#base/primitives/index.ts";
import type { CasmClass, SierraClass } from "#protocol/chain/index.ts";

/** Result of compiling a class. */
export type Compilation =
  | { readonly kind: "compiled"; readonly casm: CasmClass }
  /** The class cannot be compiled. */
  | { readonly kind: "failed"; readonly reason: string }
  /** It exceeded its time or memory limit here, or its process died; that says nothing about the class. */
  | { readonly kind: "unfinished"; readonly reason: string };

/**
 * Compiles classes supplied by a node. Hints of compiled code are covered by no hash, so the node's cannot be
 * verified; those of this compiler are trusted.
 */
export interface ReplayCompiler {
  /** @throws {NodeError} when no compiler is available */
  compile(classHash: Felt, contractClass: SierraClass): Promise<Compilation>;
}
