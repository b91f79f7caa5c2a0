import type { Felt } from "#base/primitives/index.ts";
import {
  casmClassFromJson,
  casmHashFunctionOf,
  type CasmHashFunction,
  compiledClassHash,
  decodeContractClass,
  legacyClassHash,
  sierraClassHash,
  sierraVersionOf,
} from "#protocol/chain/index.ts";
import type { ClassRow, IntegrityReader } from "#io/storage/index.ts";
import type { BlockContents } from "./block-contents.ts";
import { differ, reading, requireSame } from "./difference.ts";

/**
 * Checks the classes that a block declares or migrates: class hashes, compiled class hashes, and what is
 * noted beside them.
 *
 * @returns how many classes have this block as the one that declared them
 * @throws {StorageError} STORAGE_DIFFERENCE
 */
export function* checkClasses(
  reader: IntegrityReader,
  { number, diff, header }: BlockContents,
): Generator<void, number> {
  let declared = 0;
  const declaredWith = casmHashFunctionOf(header.protocolVersion);
  for (const [classHash, compiled] of diff.declaredClasses) {
    const row = rowOf(reader, classHash);
    if (isFirst(reader, row, classHash, number)) declared++;
    checkDefinition(classHash, row, "sierra");
    requireCompiled(row, compiled, declaredWith);
    yield;
  }
  for (const classHash of diff.deprecatedDeclaredClasses) {
    const row = rowOf(reader, classHash);
    if (isFirst(reader, row, classHash, number)) declared++;
    checkDefinition(classHash, row, "legacy");
    yield;
  }
  for (const [classHash, compiled] of diff.migratedCompiledClasses) {
    requireCompiled(rowOf(reader, classHash), compiled, "blake");
    yield;
  }
  return declared;
}

function rowOf({ blocks }: IntegrityReader, classHash: Felt): ClassRow {
  const row = reading("class", "definition", () => blocks.class(classHash));
  return row ?? differ("class", "hash", `there is no class 0x${classHash.toString(16)}`);
}

/** Whether block `number` is the one that is noted; another one must have declared the class, too. */
function isFirst(
  { chain }: IntegrityReader,
  { declaredBlock }: ClassRow,
  classHash: Felt,
  number: number,
): boolean {
  if (declaredBlock === number) return true;
  const earlier = declaredBlock < number ? chain.stateDiff(declaredBlock) : undefined;
  const isDeclared =
    earlier?.declaredClasses.has(classHash) === true ||
    earlier?.deprecatedDeclaredClasses.has(classHash) === true;
  if (!isDeclared) requireSame("class", "declared_block", number, declaredBlock);
  return false;
}

function checkDefinition(classHash: Felt, row: ClassRow, kind: "sierra" | "legacy"): void {
  const definition = reading("class", "definition", () => decodeContractClass(row.definition));
  if (definition.kind !== kind) differ("class", "definition", `expected a ${kind} class`);
  const computed = reading("class", "definition", () =>
    definition.kind === "sierra" ? sierraClassHash(definition) : legacyClassHash(definition),
  );
  requireSame("class", "hash of the definition", classHash, computed);
  const isSierra = definition.kind === "sierra";
  const version = isSierra ? sierraVersionOf(definition) : [0, 0, 0];
  if (version.join(".") !== row.sierraVersion.join(".")) {
    const found = row.sierraVersion.join(".");
    differ("class", "sierra_version", `expected ${version.join(".")}, found ${found}`);
  }
  const felts = isSierra ? definition.sierraProgram.length : 0;
  requireSame("class", "sierra_program_length", felts, row.sierraProgramLength);
  const abiLength = isSierra ? new TextEncoder().encode(definition.abi).length : 0;
  requireSame("class", "abi_length", abiLength, row.abiLength);
  if (!isSierra && row.casmJson !== null) differ("class", "casm", "a Cairo 0 class has none");
}

function requireCompiled({ casmJson }: ClassRow, expected: Felt, hash: CasmHashFunction): void {
  if (casmJson === null) return differ("class", "casm", "there is none");
  const casm = reading("class", "casm", () => casmClassFromJson(casmJson));
  requireSame("class", "compiled class hash of casm", expected, compiledClassHash(casm, hash));
}
