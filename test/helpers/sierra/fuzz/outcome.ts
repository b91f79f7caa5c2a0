import { compileClass, CompileError, type CompileErrorCode } from "#engine/sierra/index.ts";
import type { CasmClass, SierraClass } from "#protocol/chain/index.ts";

/** Felts of bytecode that a class of the fuzzers may come to. */
export const FUZZ_LIMITS = { maxBytecodeSize: 180_000 };

/** What a compiler says to a class. */
export type Outcome =
  | { readonly kind: "compiled"; readonly casm: CasmClass }
  | { readonly kind: "refused"; readonly reason: string; readonly code?: CompileErrorCode };

/** What this compiler says to a class. Errors that are no refusal are thrown. */
export function compileOutcome(sierraClass: SierraClass): Outcome {
  try {
    return { kind: "compiled", casm: compileClass(sierraClass, FUZZ_LIMITS) };
  } catch (error) {
    if (!(error instanceof CompileError)) throw error;
    return { kind: "refused", reason: `${error.code}: ${error.message}`, code: error.code };
  }
}
