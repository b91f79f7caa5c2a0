import { StorageError } from "#base/errors/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { blobFromUint, uintFromBlob } from "../blob.ts";
import { NOTHING_DERIVED } from "../file.ts";
import { openFile } from "../open-file.ts";
import { StatementFactory } from "../statement.ts";
import { COMPILED_MIGRATIONS } from "./migrations.ts";
import { COMPILED_TABLES } from "./newest.ts";
import { digestOf } from "./digest.ts";
import type { CompiledSchema } from "./schema.ts";
import { compiledStatements } from "./statements.ts";
import type { StoredCompiledClass } from "./types.ts";

/** Persistent store of compiled classes by class hash. Several processes may share one file. */
export interface CompiledClassStore {
  /**
   * Returns a stored class. A corrupted entry is deleted, so that the class is compiled again.
   *
   * @throws {StorageError} STORAGE_FAILED when the database fails
   */
  get(classHash: Felt): StoredCompiledClass | undefined;
  /**
   * Stores a class and evicts the least recently used ones above the size limit.
   *
   * @throws {StorageError} STORAGE_FAILED when the database fails; the class is then not stored
   */
  put(classHash: Felt, compiled: StoredCompiledClass): void;
  close(): void;
}

/** Settings of {@link openCompiledClasses}. */
export interface CompiledStoreOptions {
  readonly path: string;
  readonly chainId: string;
  /** Name and revision of the compiler; entries made by another compiler are ignored. */
  readonly compiler: string;
  /** Maximum total size of all classes as stored, in bytes. */
  readonly maxBytes?: number;
  /** Clock in Unix milliseconds. */
  readonly nowMs?: () => number;
}

/** Enough for some hundred of the largest classes. */
const MAX_BYTES = 256 << 20;

/**
 * Opens or creates the store of compiled classes.
 *
 * @throws {StorageError} as `openDatabase`
 */
export async function openCompiledClasses({
  path,
  chainId,
  compiler,
  maxBytes = MAX_BYTES,
  nowMs = Date.now,
}: CompiledStoreOptions): Promise<CompiledClassStore> {
  const { connection, kysely } = await openFile<CompiledSchema>({
    path,
    chainId,
    mode: "writer",
    durability: "normal",
    migrations: COMPILED_MIGRATIONS,
    newest: COMPILED_TABLES,
    derive: NOTHING_DERIVED,
  });
  const statements = compiledStatements(new StatementFactory<CompiledSchema>(connection, kysely));
  const guarded = <T>(work: () => T): T => {
    try {
      return connection.transaction(work).immediate();
    } catch (cause) {
      throw new StorageError(
        "STORAGE_FAILED",
        "The compiled classes could not be read or stored.",
        {
          cause,
        },
      );
    }
  };
  const trim = (): void => {
    let total = Number(statements.total.get()?.size_bytes ?? 0n);
    while (total > maxBytes) {
      const oldest = statements.oldest.get();
      if (oldest === undefined) return;
      statements.remove.run(oldest.class_hash);
      total -= Number(oldest.size_bytes);
    }
  };
  return {
    get: (classHash) =>
      guarded(() => {
        const row = statements.get.get(blobFromUint(classHash), compiler);
        if (row === undefined) return undefined;
        const metadata = {
          bytecodeLength: Number(row.bytecode_length),
          hashes: {
            poseidon: uintFromBlob(row.poseidon_hash),
            blake: uintFromBlob(row.blake_hash),
          },
        };
        const digest = digestOf(classHash, compiler, metadata, row.casm);
        if (Buffer.compare(digest, row.digest) !== 0) {
          statements.remove.run(blobFromUint(classHash));
          return undefined;
        }
        statements.use.run(nowMs(), blobFromUint(classHash));
        return {
          casmJson: new TextDecoder().decode(Bun.zstdDecompressSync(row.casm)),
          ...metadata,
        };
      }),
    put(classHash, compiled) {
      const { casmJson, bytecodeLength, hashes } = compiled;
      const casm = Bun.zstdCompressSync(casmJson);
      guarded(() => {
        statements.put.run(
          blobFromUint(classHash),
          compiler,
          blobFromUint(hashes.poseidon),
          blobFromUint(hashes.blake),
          bytecodeLength,
          casm.byteLength,
          nowMs(),
          casm,
          digestOf(classHash, compiler, compiled, casm),
        );
        trim();
      });
    },
    close: () => connection.close(true),
  };
}
