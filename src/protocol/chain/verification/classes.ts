import { DecodeError } from "#base/errors/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { type CasmHashFunction, compiledClassHash } from "../casm-hash.ts";
import { sierraClassHash } from "../class-hash.ts";
import type { CasmClass, ContractClass, LegacyClass } from "../class.ts";
import { hashedLegacyExecutable, partialLegacyClassHash } from "../legacy-class-hash.ts";
import { parseLegacyClass } from "../parsed-legacy-class.ts";
import { type Mismatch, mismatchOf } from "./mismatch.ts";

/**
 * Verifies the hash of a class.
 *
 * @param declared - hash by which the class was requested
 * @throws {DecodeError} when it is an unreadable Cairo 0 class whose hash differs from `declared`
 */
export function classHashMismatch(
  contractClass: ContractClass,
  declared: Felt,
): Mismatch | undefined {
  const found =
    contractClass.kind === "sierra"
      ? sierraClassHash(contractClass)
      : legacyHash(contractClass, declared);
  return mismatchOf("class_hash", "classHash", declared, found);
}

/** Hashes a Cairo 0 class, including classes of the public networks that cannot be decoded fully. */
function legacyHash(contractClass: LegacyClass, declared: Felt): Felt {
  const parsed = parseLegacyClass(contractClass);
  try {
    return hashedLegacyExecutable(parsed).classHash;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    if (partialLegacyClassHash(parsed) === declared) return declared;
    throw error;
  }
}

/**
 * Verifies the hash of compiled code.
 *
 * @param declared - hash that the block names
 * @param hashFunction - hash function of the block's protocol version; Blake2s for a migration
 */
export function compiledClassHashMismatch(
  casm: CasmClass,
  declared: Felt,
  hashFunction: CasmHashFunction,
): Mismatch | undefined {
  const found = compiledClassHash(casm, hashFunction);
  return mismatchOf("compiled_class_hash", "compiledClassHash", declared, found);
}
