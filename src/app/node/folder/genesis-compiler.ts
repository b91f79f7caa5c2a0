import { ConfigError, DecodeError } from "#base/errors/index.ts";
import { compileClass, CompileError } from "#engine/sierra/index.ts";
import { casmJsonFromClass, sierraClassFromJson } from "#protocol/chain/index.ts";

/** Felts that the network takes of a Sierra program, and of bytecode. */
const MAX_CLASS_FELTS = 81_920;

/**
 * Compiles a Sierra class of the genesis section, within the limits of the network's declares.
 *
 * @param file - where the class is from, for the error
 * @returns the JSON text of its CASM
 * @throws {ConfigError} with the file and the reason when it cannot be compiled
 */
export function compileGenesisClass(sierraJson: string, file: string): string {
  try {
    const sierraClass = sierraClassFromJson(sierraJson);
    const length = sierraClass.sierraProgram.length;
    if (length > MAX_CLASS_FELTS) {
      throw new ConfigError(
        `${file} cannot be compiled: its program has ${length} felts, at most ${MAX_CLASS_FELTS} are allowed`,
      );
    }
    return casmJsonFromClass(compileClass(sierraClass, { maxBytecodeSize: MAX_CLASS_FELTS }));
  } catch (cause) {
    if (cause instanceof CompileError) {
      throw new ConfigError(`${file} cannot be compiled: ${cause.message}`, [], { cause });
    }
    if (cause instanceof DecodeError) {
      throw new ConfigError(`${file} is not a Sierra class: ${cause.message}`, [], { cause });
    }
    throw cause;
  }
}
