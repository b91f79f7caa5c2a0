import { compileClass, CompileError, type CompileErrorCode } from "#engine/sierra/index.ts";
import type { CasmClass, SierraClass } from "#protocol/chain/index.ts";

/** Compiler limits for the classes of the fuzzers. */
export const FUZZ_LIMITS = { maxBytecodeSize: 180_000 };

/** Result of a compilation. */
export type Outcome =
  | { readonly kind: "compiled"; readonly casm: CasmClass }
  | { readonly kind: "refused"; readonly reason: string; readonly code?: CompileErrorCode };

/** Compiles a class with this compiler. Errors other than rejections are thrown. */
export function compileOutcome(sierraClass: SierraClass): Outcome {
  try {
    return { kind: "compiled", casm: compileClass(sierraClass, FUZZ_LIMITS) };
  } catch (error) {
    if (!(error instanceof CompileError)) throw error;
    return { kind: "refused", reason: `${error.code}: ${error.message}`, code: error.code };
  }
}
