import type { Felt } from "#base/primitives/index.ts";
import { type CasmHashFunction, compiledClassHash } from "../casm-hash.ts";
import { sierraClassHash } from "../class-hash.ts";
import type { CasmClass, ContractClass } from "../class.ts";
import { legacyClassHash } from "../legacy-class-hash.ts";
import { type Mismatch, mismatchOf } from "./mismatch.ts";

/**
 * Verifies the hash of a class.
 *
 * @param declared - the hash that it was asked for by
 * @throws {DecodeError} when it is a Cairo 0 class whose program cannot be read
 */
export function classHashMismatch(
  contractClass: ContractClass,
  declared: Felt,
): Mismatch | undefined {
  const found =
    contractClass.kind === "sierra"
      ? sierraClassHash(contractClass)
      : legacyClassHash(contractClass);
  return mismatchOf("class_hash", "classHash", declared, found);
}

/**
 * Verifies the hash of compiled code.
 *
 * @param declared - the hash that the block names
 * @param hashFunction - that of the block's protocol version; Blake2s for a migration
 */
export function compiledClassHashMismatch(
  casm: CasmClass,
  declared: Felt,
  hashFunction: CasmHashFunction,
): Mismatch | undefined {
  const found = compiledClassHash(casm, hashFunction);
  return mismatchOf("compiled_class_hash", "compiledClassHash", declared, found);
}
