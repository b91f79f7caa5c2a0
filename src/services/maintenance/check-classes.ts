import type { Felt } from "#base/primitives/index.ts";
import {
  type CasmClass,
  casmClassFromJson,
  casmJsonFromClass,
  casmHashFunctionOf,
  type CasmHashFunction,
  classHashMismatch,
  compiledClassHash,
  compiledClassHashMismatch,
  type ContractClass,
  decodeContractClass,
  type SierraClass,
  sierraVersionOf,
} from "#protocol/chain/index.ts";
import type { ClassRow, IntegrityReader } from "#io/storage/index.ts";
import type { BlockContents } from "./block-contents.ts";
import { differ, reading, requireNone, requireSame } from "./difference.ts";

/** Recompiles a Sierra class; `undefined` when it cannot be compiled. */
export type Recompile = (contractClass: SierraClass) => CasmClass | undefined;

/** Counts of a block's classes. */
export interface ClassCounts {
  /** Classes whose first declaration is in the block. */
  declared: number;
  /** Those of them that were recompiled, to the same code with the same hints. */
  recompiled: number;
}

/**
 * Checks the classes that a block declares or migrates: class hashes, compiled class hashes, and stored
 * metadata.
 *
 * @param options.recompile - `null` compares hints only with their stored digest
 * @param options.isFork - whether migrated classes may be stored elsewhere
 * @throws {StorageError} STORAGE_DIFFERENCE
 */
export function* checkClasses(
  reader: IntegrityReader,
  { number, diff, header }: BlockContents,
  { recompile, isFork }: { readonly recompile: Recompile | null; readonly isFork: boolean },
): Generator<void, ClassCounts> {
  const counts: ClassCounts = { declared: 0, recompiled: 0 };
  const declaredWith = casmHashFunctionOf(header.protocolVersion);
  for (const [classHash, compiled] of diff.declaredClasses) {
    const row = classRowOf(reader, classHash);
    const isNew = isFirst(reader, row, classHash, number);
    if (isNew) counts.declared++;
    const definition = checkDefinition(classHash, row, "sierra");
    const casm = requireCompiled(row, compiled, declaredWith);
    yield;
    if (!isNew || recompile === null || definition.kind !== "sierra") continue;
    const made = recompile(definition);
    // A different compiler version may have produced different but equivalent code.
    if (made === undefined || compiledClassHash(made, declaredWith) !== compiled) continue;
    requireHints(casm, made);
    counts.recompiled++;
    yield;
  }
  for (const classHash of diff.deprecatedDeclaredClasses) {
    const row = classRowOf(reader, classHash);
    if (isFirst(reader, row, classHash, number)) counts.declared++;
    checkDefinition(classHash, row, "legacy");
    yield;
  }
  for (const [classHash, compiled] of diff.migratedCompiledClasses) {
    const isElsewhere = isFork && reader.chain.declaredClass(classHash) === undefined;
    if (!isElsewhere) requireCompiled(classRowOf(reader, classHash), compiled, "blake");
    yield;
  }
  return counts;
}

/** Reads the row of a class. @throws {StorageError} STORAGE_DIFFERENCE when it is missing */
export function classRowOf({ blocks }: IntegrityReader, classHash: Felt): ClassRow {
  const row = reading("class", "definition", () => blocks.class(classHash));
  return row ?? differ("class", "hash", `there is no class 0x${classHash.toString(16)}`);
}

/**
 * Whether the class was first declared in block `number`; otherwise the recorded block must declare it as
 * well.
 */
function isFirst(
  { chain }: IntegrityReader,
  { declaredBlock }: ClassRow,
  classHash: Felt,
  number: number,
): boolean {
  if (declaredBlock === number) return true;
  // On a snapshot chain, nothing records the declarations of the blocks before the first one.
  if (declaredBlock < chain.oldestBlock()) return false;
  const earlier = declaredBlock < number ? chain.stateDiff(declaredBlock) : undefined;
  const isDeclared =
    earlier?.declaredClasses.has(classHash) === true ||
    earlier?.deprecatedDeclaredClasses.has(classHash) === true;
  if (!isDeclared) requireSame("class", "declared_block", number, declaredBlock);
  return false;
}

/**
 * Checks a class's definition against its hash, and its stored metadata.
 *
 * @throws {StorageError} STORAGE_DIFFERENCE
 */
export function checkDefinition(
  classHash: Felt,
  row: ClassRow,
  kind: ContractClass["kind"],
): ContractClass {
  const definition = reading("class", "definition", () => decodeContractClass(row.definition));
  if (definition.kind !== kind) differ("class", "definition", `expected a ${kind} class`);
  const mismatch = reading("class", "definition", () => classHashMismatch(definition, classHash));
  requireNone("class", "hash of the definition", mismatch);
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
  if (!row.isCasmWhole) {
    differ("class", "casm_digest", "the compiled code with its hints is not what was stored");
  }
  return definition;
}

function requireCompiled(row: ClassRow, expected: Felt, hash: CasmHashFunction): CasmClass {
  const casm = compiledOf(row);
  const mismatch = compiledClassHashMismatch(casm, expected, hash);
  requireNone("class", "compiled class hash of casm", mismatch);
  return casm;
}

/** Reads compiled code. @throws {StorageError} STORAGE_DIFFERENCE when it is missing or unreadable */
export function compiledOf({ casmJson }: ClassRow): CasmClass {
  if (casmJson === null) return differ("class", "casm", "it is missing");
  return reading("class", "casm", () => casmClassFromJson(casmJson));
}

/** Requires that the same code has the same hints at the same places. */
function requireHints(stored: CasmClass, made: CasmClass): void {
  const expected = casmClassFromJson(casmJsonFromClass(made)).hints;
  if (Bun.deepEquals(stored.hints, expected)) return;
  differ("class", "hints of casm", "the class compiles to the same code with other hints");
}
