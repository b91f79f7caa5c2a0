import {
  legacyClassLengths,
  type PackedLegacyClass,
  type ParsedLegacyClass,
  type SierraClass,
  sierraClassObjectBytes,
  unpackLegacyClass,
} from "#protocol/chain/index.ts";
import { CLASS_SIZE_LIMITS, type ClassSizeLimits } from "./compile-limits.ts";

/** Why a class is not even compiled. */
export interface Unfit {
  readonly code: "CONTRACT_CLASS_SIZE_IS_TOO_LARGE" | "UNSUPPORTED_CONTRACT_CLASS_VERSION";
  readonly reason: string;
}

/** The version of the form of Sierra classes; the class hash covers it. */
const CLASS_VERSION = "0.1.0";

/** Why a Cairo 0 class is not even hashed. */
export interface LegacyUnfit {
  readonly code: "CONTRACT_CLASS_SIZE_IS_TOO_LARGE" | "COMPILATION_FAILED";
  readonly reason: string;
}

/** What a class is refused for before anything is done with it; `undefined` when it may be compiled. */
export function classUnfit(contractClass: SierraClass): Unfit | undefined {
  const { contractClassVersion } = contractClass;
  if (contractClassVersion === CLASS_VERSION)
    return classTooLarge(contractClass, CLASS_SIZE_LIMITS);
  return {
    code: "UNSUPPORTED_CONTRACT_CLASS_VERSION",
    reason: `contract_class_version is ${contractClassVersion}, expected ${CLASS_VERSION}`,
  };
}

/** The refusal of a class whose program is too long, which takes no time to see. */
export function programTooLong(
  { sierraProgram: { length } }: SierraClass,
  { maxProgramFelts }: ClassSizeLimits,
): Unfit | undefined {
  if (length <= maxProgramFelts) return undefined;
  return tooLarge(`the Sierra program has ${length} felts, at most ${maxProgramFelts} are allowed`);
}

/** The refusal of a class that is above a limit of size; the cheap limits are looked at first. */
export function classTooLarge(
  contractClass: SierraClass,
  limits: ClassSizeLimits,
): Unfit | undefined {
  const tooLong = programTooLong(contractClass, limits);
  if (tooLong !== undefined) return tooLong;
  const { maxObjectBytes } = limits;
  const isLong = contractClass.abi.length > maxObjectBytes;
  const bytes = isLong ? contractClass.abi.length : sierraClassObjectBytes(contractClass);
  if (bytes <= maxObjectBytes) return undefined;
  const exactly = isLong ? "more than " : "";
  return tooLarge(
    `the class has ${exactly}${bytes} bytes as JSON, at most ${maxObjectBytes} are allowed`,
  );
}

/**
 * Unpacks a Cairo 0 class within the limits of size; nothing beyond them is unpacked, parsed or hashed.
 *
 * @throws {DecodeError} when the program is not packed as it has to be
 */
export function unpackWithin(
  packed: PackedLegacyClass,
  { maxObjectBytes, maxProgramFelts, maxEntryPoints }: ClassSizeLimits,
): ParsedLegacyClass | LegacyUnfit {
  const parsed = unpackLegacyClass(packed, maxObjectBytes);
  if (parsed === undefined) {
    return tooLarge(
      `the class has more than ${maxObjectBytes} bytes as JSON, at most ${maxObjectBytes} are allowed`,
    );
  }
  const { programFelts, entryPoints } = legacyClassLengths(parsed);
  if (programFelts > maxProgramFelts) {
    return tooLarge(
      `the program has ${programFelts} felts, at most ${maxProgramFelts} are allowed`,
    );
  }
  if (entryPoints > maxEntryPoints) {
    return tooLarge(
      `the class has ${entryPoints} entry points, at most ${maxEntryPoints} are allowed`,
    );
  }
  return parsed;
}

function tooLarge(reason: string) {
  return { code: "CONTRACT_CLASS_SIZE_IS_TOO_LARGE", reason } as const;
}
