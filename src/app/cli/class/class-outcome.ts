import { stringifyJson } from "#base/codec/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import {
  type CasmClass,
  casmClassCodec,
  classFromFile,
  compiledClassHash,
  type ContractClass,
  legacyClassHash,
  type SierraClass,
  sierraClassHash,
} from "#protocol/chain/index.ts";
import { compileClass, CompileError } from "#engine/sierra/index.ts";
import { compileReason } from "./compile-reason.ts";
import type { ClassOutcome, ClassRequest } from "./outcome.ts";

/** Reads, hashes and compiles a class file; an invalid class is an outcome, not an error. */
export function classOutcome({ text, maxBytecodeSize }: ClassRequest): ClassOutcome {
  try {
    return outcomeOf(classFromFile(text), maxBytecodeSize);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const reason = error.path === "" ? `expected ${error.expected}` : error.message;
    return { kind: "invalid", reason };
  }
}

function outcomeOf(contractClass: ContractClass, maxBytecodeSize: number | null): ClassOutcome {
  if (contractClass.kind === "legacy") {
    return { kind: "legacy", classHash: hexFromFelt(legacyClassHash(contractClass)) };
  }
  const classHash = hexFromFelt(sierraClassHash(contractClass));
  const casm = compiledOrReason(contractClass, maxBytecodeSize);
  if (typeof casm === "string") return { kind: "refused", classHash, reason: casm };
  return {
    kind: "compiled",
    classHash,
    poseidonHash: hexFromFelt(compiledClassHash(casm, "poseidon")),
    blakeHash: hexFromFelt(compiledClassHash(casm, "blake")),
    casm: stringifyJson(casmClassCodec.encode(casm)),
    sierraSize: contractClass.sierraProgram.length,
    bytecodeSize: casm.bytecode.length,
  };
}

function compiledOrReason(
  sierraClass: SierraClass,
  maxBytecodeSize: number | null,
): CasmClass | string {
  try {
    return compileClass(sierraClass, { maxBytecodeSize: maxBytecodeSize ?? Infinity });
  } catch (error) {
    if (!(error instanceof CompileError)) throw error;
    return compileReason(error, sierraClass, maxBytecodeSize);
  }
}
