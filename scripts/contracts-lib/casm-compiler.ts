import { DecodeError } from "#base/errors/index.ts";
import { compileClass, CompileError } from "#engine/sierra/index.ts";
import { casmJsonFromClass, sierraClassFromJson } from "#protocol/chain/index.ts";

/** Maximum felts of bytecode on the networks (`maxContractBytecodeSize`). */
const MAX_BYTECODE_FELTS = 81_920;

/** The CASM text, or the reason of the failure. */
export type CasmResult =
  | { readonly kind: "compiled"; readonly casm: string }
  | { readonly kind: "failed"; readonly message: string };

/** Compiles the JSON text of a Sierra class to CASM, within the network's limit. */
export function compileCasm(sierraJson: string): CasmResult {
  try {
    const casm = compileClass(sierraClassFromJson(sierraJson), {
      maxBytecodeSize: MAX_BYTECODE_FELTS,
    });
    return { kind: "compiled", casm: casmJsonFromClass(casm) };
  } catch (error) {
    if (!(error instanceof CompileError || error instanceof DecodeError)) throw error;
    return { kind: "failed", message: error.message };
  }
}
