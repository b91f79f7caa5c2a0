import { DecodeError } from "#base/errors/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import {
  type CasmHashFunction,
  casmClassFromJson,
  casmHashFunctionOf,
  compiledClassHash,
  type EncodedClass,
} from "#protocol/chain/index.ts";
import type { BlockSource, CodeCompiler } from "./ports.ts";
import { refuse } from "./refusal.ts";
import { checkCompiledText } from "./verify/index.ts";

/** What compiled code comes from. */
export interface CompiledCodeDeps {
  readonly source: Pick<BlockSource, "compiledClass">;
  readonly compiler: CodeCompiler;
  readonly trustsCasm: boolean;
  /** What messages call the source. */
  readonly sourceName: string;
}

/** A Sierra class as a block declares it. */
export interface DeclaredCode {
  readonly blockNumber: number;
  readonly protocolVersion: string;
  readonly encoded: EncodedClass;
  readonly compiledClassHash: Felt;
  /** Code that came with the class; `null`: the source is asked for it. */
  readonly toldCasm: string | null;
}

/**
 * The code of a class that has the hash it was declared with, by our compiler; or the source's, where that
 * is trusted: older compilers made other code of the same class.
 *
 * @returns the code as JSON text
 * @throws {BlockRefused} `compiled_class_hash` when there is no such code
 */
export async function declaredCode(
  deps: CompiledCodeDeps,
  declared: DeclaredCode,
): Promise<string> {
  const { sourceName } = deps;
  const { blockNumber, encoded, protocolVersion, toldCasm } = declared;
  const { classHash } = encoded;
  const hashFunction = casmHashFunctionOf(protocolVersion);
  const own = await deps.compiler.compile(classHash, encoded.contractClass);
  const ownHash = own.casmJson === null ? undefined : hashOfCode(own.casmJson, hashFunction);
  if (own.casmJson !== null && ownHash === declared.compiledClassHash) return own.casmJson;
  const expected = `compiled_class_hash of class ${hexFromFelt(classHash)}: declared ${hexFromFelt(declared.compiledClassHash)}`;
  const found =
    ownHash === undefined
      ? `our compiler refuses it: ${own.reason ?? "no reason was given"}`
      : `our compiler gives ${hexFromFelt(ownHash)}`;
  if (!deps.trustsCasm) {
    const hint = `older compilers gave other code: with --trust-casm that of ${sourceName} is taken if it has the declared hash`;
    return refuse("compiled_class_hash", blockNumber, `${expected}, ${found}; ${hint}`);
  }
  const text =
    toldCasm === null
      ? await deps.source.compiledClass(classHash)
      : new TextEncoder().encode(toldCasm);
  if (text === undefined) {
    refuse("compiled_class_hash", blockNumber, `${expected}, ${found}; ${sourceName} has none`);
  }
  const checked = checkCompiledText(text, declared.compiledClassHash, hashFunction);
  if (checked.kind === "checked") return checked.casmJson;
  const told = checked.kind === "other" ? `has ${hexFromFelt(checked.found)}` : checked.reason;
  const theirs = `that of ${sourceName}`;
  return refuse("compiled_class_hash", blockNumber, `${expected}, ${found}; ${theirs} ${told}`);
}

/** The hash of code that is JSON text; `undefined` when it cannot be read. */
export function hashOfCode(casmJson: string, hashFunction: CasmHashFunction): Felt | undefined {
  try {
    return compiledClassHash(casmClassFromJson(casmJson), hashFunction);
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}
