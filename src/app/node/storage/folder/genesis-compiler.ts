import { type JsonObject, stringifyJson } from "#base/codec/index.ts";
import { ConfigError, DecodeError } from "#base/errors/index.ts";
import { compileClass, CompileError } from "#engine/sierra/index.ts";
import {
  casmJsonFromClass,
  classFromFile,
  type LegacyClass,
  legacyClassLengths,
  parseLegacyClass,
  type SierraClass,
} from "#protocol/chain/index.ts";
import { CLASS_SIZE_LIMITS, MAX_BYTECODE_FELTS } from "#services/admission/index.ts";
import type { ClassText } from "#services/sequencer/index.ts";

const { maxProgramFelts, maxObjectBytes, maxEntryPoints } = CLASS_SIZE_LIMITS;

/**
 * Returns the JSON texts of a genesis class that comes without compiled code: a Sierra class, which is
 * compiled, or a Cairo 0 class. The limits are those of the network's declares.
 *
 * @param text - content of the file
 * @param file - origin of the class, for the error
 * @throws {ConfigError} with the file and the reason when it is not a class, exceeds a limit, or cannot be
 *   compiled
 */
export function genesisClassText(text: string, file: string): ClassText {
  try {
    const contractClass = classFromFile(text);
    if (contractClass.kind === "legacy") {
      return { classJson: legacyJson(contractClass, file), casmJson: null };
    }
    return { classJson: text, casmJson: compiledJson(contractClass, file) };
  } catch (cause) {
    if (cause instanceof CompileError) {
      throw new ConfigError(`${file} cannot be compiled: ${cause.message}`, [], { cause });
    }
    if (cause instanceof DecodeError) {
      const reason = cause.path === "" ? `expected ${cause.expected}` : cause.message;
      throw new ConfigError(`${file} is not a class: ${reason}`, [], { cause });
    }
    throw cause;
  }
}

function compiledJson(sierraClass: SierraClass, file: string): string {
  const { length } = sierraClass.sierraProgram;
  if (length > maxProgramFelts) {
    throw new ConfigError(
      `${file} cannot be compiled: its program has ${length} felts, at most ${maxProgramFelts} are allowed`,
    );
  }
  return casmJsonFromClass(compileClass(sierraClass, { maxBytecodeSize: MAX_BYTECODE_FELTS }));
}

/**
 * Returns the members of a Cairo 0 class that its hash covers, which is what the chain stores. Compiler
 * output has further members, and debug information longer than the rest together.
 */
function legacyJson(contractClass: LegacyClass, file: string): string {
  const parsed = parseLegacyClass(contractClass);
  const { programFelts, entryPoints } = legacyClassLengths(parsed);
  const { abi, entry_points_by_type: tables, program } = parsed.value;
  const json = stringifyJson({
    ...(abi === undefined ? {} : { abi }),
    ...(tables === undefined ? {} : { entry_points_by_type: tables }),
    program: { ...(program as JsonObject), debug_info: null },
  });
  for (const [what, found, limit] of [
    ["felts of its program", programFelts, maxProgramFelts],
    ["entry points", entryPoints, maxEntryPoints],
    ["bytes as JSON", Buffer.byteLength(json), maxObjectBytes],
  ] as const) {
    if (found > limit) {
      throw new ConfigError(`${file} is too large: ${found} ${what}, at most ${limit} are allowed`);
    }
  }
  return json;
}
