import { stringifyJson } from "#base/codec/index.ts";
import { AppError, DecodeError } from "#base/errors/index.ts";
import { describeError } from "#base/telemetry/index.ts";
import {
  casmClassCodec,
  compiledClassHash,
  decodeContractClass,
  type SierraClass,
} from "#protocol/chain/index.ts";
import { compileClass } from "#engine/sierra/index.ts";
import type { CompiledClass } from "#services/admission/index.ts";
import type { ChildArchive } from "./child-archive.ts";
import { type ChildAnswer, type CompileCommand, decodeCommand } from "./compiler-messages.ts";

/** Maximum length of a refusal text: a class may contain names of any length. */
const MAX_MESSAGE_LENGTH = 1000;

/** Error code of a class on which the compiler itself fails, for example by stack overflow. */
const COMPILER_FAULT = "COMPILER_FAULT";

/**
 * Compiles the class of a command, or returns the archived result. Never rejects: any bytes get an answer.
 *
 * @param bytes - the command of `encodeCommand`
 */
export async function answerCommand(
  bytes: Uint8Array,
  archive: ChildArchive,
): Promise<ChildAnswer> {
  try {
    const command = decodeCommand(bytes);
    await archive.open(command.archive);
    const kept = archive.get(command.classHash);
    if (kept !== undefined) return { kind: "compiled", compiled: kept };
    const compiled = compile(command);
    archive.put(command.classHash, compiled);
    return { kind: "compiled", compiled };
  } catch (error) {
    const isKnown = error instanceof AppError;
    const message = isKnown ? error.message : `the compiler failed: ${describeError(error)}`;
    return {
      kind: "failed",
      code: isKnown ? error.code : COMPILER_FAULT,
      message: message.slice(0, MAX_MESSAGE_LENGTH),
    };
  }
}

function compile({ maxBytecodeSize, classBytes }: CompileCommand): CompiledClass {
  const casm = compileClass(decodeSierra(classBytes), { maxBytecodeSize });
  return {
    casmJson: stringifyJson(casmClassCodec.encode(casm)),
    bytecodeLength: casm.bytecode.length,
    hashes: {
      poseidon: compiledClassHash(casm, "poseidon"),
      blake: compiledClassHash(casm, "blake"),
    },
  };
}

function decodeSierra(bytes: Uint8Array): SierraClass {
  const decoded = decodeContractClass(bytes);
  if (decoded.kind === "legacy")
    throw new DecodeError("class", "a Sierra class, not a Cairo 0 one");
  return decoded;
}
