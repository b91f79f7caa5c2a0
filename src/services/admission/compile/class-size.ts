import {
  legacyClassLengths,
  type PackedLegacyClass,
  type ParsedLegacyClass,
  type SierraClass,
  sierraClassObjectBytes,
  unpackLegacyClass,
} from "#protocol/chain/index.ts";
import { CLASS_SIZE_LIMITS, type ClassSizeLimits } from "./compile-limits.ts";

/** Reason to refuse a Sierra class before compilation. */
export interface Unfit {
  readonly code: "CONTRACT_CLASS_SIZE_IS_TOO_LARGE" | "UNSUPPORTED_CONTRACT_CLASS_VERSION";
  readonly reason: string;
}

/** Format version of Sierra classes; the class hash covers it. */
const CLASS_VERSION = "0.1.0";

/** Reason to refuse a Cairo 0 class before hashing. */
export interface LegacyUnfit {
  readonly code: "CONTRACT_CLASS_SIZE_IS_TOO_LARGE" | "COMPILATION_FAILED";
  readonly reason: string;
}

/** Refusal of a class before any work is done on it; `undefined` when it may be compiled. */
export function classUnfit(contractClass: SierraClass): Unfit | undefined {
  const { contractClassVersion } = contractClass;
  if (contractClassVersion === CLASS_VERSION)
    return classTooLarge(contractClass, CLASS_SIZE_LIMITS);
  return {
    code: "UNSUPPORTED_CONTRACT_CLASS_VERSION",
    reason: `contract_class_version is ${contractClassVersion}, expected ${CLASS_VERSION}`,
  };
}

/** Refusal of a class whose program is too long; a constant-time check. */
export function programTooLong(
  { sierraProgram: { length } }: SierraClass,
  { maxProgramFelts }: ClassSizeLimits,
): Unfit | undefined {
  if (length <= maxProgramFelts) return undefined;
  return tooLarge(`the Sierra program has ${length} felts, at most ${maxProgramFelts} are allowed`);
}

/** Refusal of a class above a size limit; checks the cheap limits first. */
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
 * Unpacks a Cairo 0 class within the size limits; content beyond them is not unpacked, parsed or hashed.
 *
 * @throws {DecodeError} when the program is not packed correctly
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
