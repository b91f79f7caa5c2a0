import {
  casmClassFromJson,
  decodeContractClass,
  type EncodedClass,
  type ExecutableClass,
  legacyExecutableFromJson,
} from "#protocol/chain/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import { compareFelts, type Felt } from "#base/primitives/index.ts";
import type { DeclaredClass } from "#engine/state/index.ts";
import { blobFromUint, uintFromBlob } from "../blob.ts";
import { GenerationCache } from "../cache.ts";
import type { ChainSchema } from "../schema/index.ts";
import type { StatementFactory } from "../statement.ts";
import type { StoredCasm } from "../types.ts";
import { unpackVersion } from "./version.ts";

interface Sizes {
  readonly sierra_version: bigint;
  readonly sierra_program_length: bigint;
  readonly abi_length: bigint;
}

const decoder = new TextDecoder();

/** Reads classes; caches decoded executable ones up to a total number of bytecode felts. */
export class ClassReader {
  readonly #executables: GenerationCache<Felt, ExecutableClass>;
  readonly #selectBlock;
  readonly #selectDefinition;
  readonly #selectCasm;
  readonly #selectOfBlock;
  readonly #selectBlocks;

  constructor(statements: StatementFactory<ChainSchema>, cachedBytecodeFelts: number) {
    this.#executables = new GenerationCache(
      cachedBytecodeFelts,
      (executable) => (executable.casm ?? executable.program).bytecode.length,
    );
    this.#selectBlock = statements.of<[hash: Uint8Array]>()((db, [hash]) =>
      db.selectFrom("class").select("declared_block").where("hash", "=", hash),
    );
    this.#selectDefinition = statements.of<[hash: Uint8Array]>()((db, [hash]) =>
      db.selectFrom("class").select(["definition", "declared_block"]).where("hash", "=", hash),
    );
    this.#selectCasm = statements.of<[hash: Uint8Array]>()((db, [hash]) =>
      db
        .selectFrom("class")
        .select(["casm", "sierra_version", "sierra_program_length", "abi_length", "declared_block"])
        .where("hash", "=", hash),
    );
    this.#selectBlocks = statements.of<[]>()((db) =>
      db.selectFrom("class").select("declared_block").distinct().orderBy("declared_block"),
    );
    this.#selectOfBlock = statements.of<[block: number]>()((db, [block]) =>
      db
        .selectFrom("class")
        .select(["hash", "definition", "casm"])
        .where("declared_block", "=", block),
    );
  }

  declaringBlocks(): number[] {
    return this.#selectBlocks.all().map((row) => Number(row.declared_block));
  }

  declaredClass(classHash: Felt): DeclaredClass | undefined {
    const row = this.#selectDefinition.get(blobFromUint(classHash));
    if (row === undefined) return undefined;
    return {
      contractClass: decodeContractClass(Bun.zstdDecompressSync(row.definition)),
      declaredAtBlock: Number(row.declared_block),
    };
  }

  casm(classHash: Felt): StoredCasm | undefined {
    const row = this.#selectCasm.get(blobFromUint(classHash));
    if (row === undefined || row.casm === null) return undefined;
    return {
      casmJson: decoder.decode(Bun.zstdDecompressSync(row.casm)),
      sierraVersion: unpackVersion(row.sierra_version),
      declaredAtBlock: Number(row.declared_block),
    };
  }

  /** Returns the code of a class that was declared at or before block `blockNumber`. */
  executableClass(classHash: Felt, blockNumber: number): ExecutableClass | undefined {
    const hash = blobFromUint(classHash);
    // Queried each time: a revert, perhaps by another thread, may have removed the class.
    const declared = this.#selectBlock.get(hash);
    if (declared === undefined || Number(declared.declared_block) > blockNumber) return undefined;
    const cached = this.#executables.get(classHash);
    if (cached !== undefined) return cached;
    const row = this.#selectCasm.get(hash);
    if (row === undefined) return undefined;
    const executable =
      row.casm === null
        ? this.#legacyExecutable(classHash)
        : this.#sierraExecutable(classHash, row, row.casm);
    if (executable !== undefined) this.#executables.set(classHash, executable);
    return executable;
  }

  #sierraExecutable(classHash: Felt, row: Sizes, casm: Uint8Array): ExecutableClass {
    return {
      classHash,
      casm: casmClassFromJson(decoder.decode(Bun.zstdDecompressSync(casm))),
      sierraVersion: unpackVersion(row.sierra_version),
      sierraProgramLength: Number(row.sierra_program_length),
      abiLength: Number(row.abi_length),
    };
  }

  /**
   * Loads a Cairo 0 class; `undefined` for a Sierra class without code, or for code that cannot be decoded.
   */
  #legacyExecutable(classHash: Felt): ExecutableClass | undefined {
    const contractClass = this.declaredClass(classHash)?.contractClass;
    if (contractClass?.kind !== "legacy") return undefined;
    try {
      return legacyExecutableFromJson(contractClass.json, classHash);
    } catch (error) {
      if (error instanceof DecodeError) return undefined;
      throw error;
    }
  }

  /** Returns the classes that a block declared, by ascending hash. */
  ofBlock(blockNumber: number): EncodedClass[] {
    const classes = this.#selectOfBlock.all(blockNumber).map((row) => ({
      classHash: uintFromBlob(row.hash),
      contractClass: Bun.zstdDecompressSync(row.definition),
      casmJson: row.casm === null ? null : decoder.decode(Bun.zstdDecompressSync(row.casm)),
    }));
    return classes.sort((a, b) => compareFelts(a.classHash, b.classHash));
  }
}
