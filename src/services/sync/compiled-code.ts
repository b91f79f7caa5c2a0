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

/** Sources of compiled code. */
export interface CompiledCodeDeps {
  readonly source: Pick<BlockSource, "compiledClass">;
  readonly compiler: CodeCompiler;
  readonly trustsCasm: boolean;
  /** Name of the source in messages. */
  readonly sourceName: string;
}

/** Sierra class as declared by a block. */
export interface DeclaredCode {
  readonly blockNumber: number;
  readonly protocolVersion: string;
  readonly encoded: EncodedClass;
  readonly compiledClassHash: Felt;
  /** Code that came with the class; `null` if the source must be queried for it. */
  readonly suppliedCasm: string | null;
}

/**
 * Returns the code of a class that has its declared compiled class hash: from our compiler or, if that is
 * trusted, from the source. Older compilers made other code from the same class.
 *
 * @returns the code as JSON text
 * @throws {BlockRefused} `compiled_class_hash` when there is no such code
 */
export async function declaredCode(
  deps: CompiledCodeDeps,
  declared: DeclaredCode,
): Promise<string> {
  const { sourceName } = deps;
  const { blockNumber, encoded, protocolVersion, suppliedCasm } = declared;
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
    const hint = `older compilers gave other code: --trust-casm accepts the code of ${sourceName} if it has the declared hash`;
    return refuse("compiled_class_hash", blockNumber, `${expected}, ${found}; ${hint}`);
  }
  const text =
    suppliedCasm === null
      ? await deps.source.compiledClass(classHash)
      : new TextEncoder().encode(suppliedCasm);
  if (text === undefined) {
    refuse("compiled_class_hash", blockNumber, `${expected}, ${found}; ${sourceName} has none`);
  }
  const checked = checkCompiledText(text, declared.compiledClassHash, hashFunction);
  if (checked.kind === "checked") return checked.casmJson;
  const problem = checked.kind === "other" ? `has ${hexFromFelt(checked.found)}` : checked.reason;
  const theirs = `the code of ${sourceName}`;
  return refuse("compiled_class_hash", blockNumber, `${expected}, ${found}; ${theirs} ${problem}`);
}

/** Hashes code given as JSON text; `undefined` when it cannot be read. */
export function hashOfCode(casmJson: string, hashFunction: CasmHashFunction): Felt | undefined {
  try {
    return compiledClassHash(casmClassFromJson(casmJson), hashFunction);
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}
