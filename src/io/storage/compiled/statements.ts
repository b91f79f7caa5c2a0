import { sql } from "kysely";
import type { StatementFactory } from "../statement.ts";
import type { CompiledSchema } from "./schema.ts";

/** Creates the statements of a compiled class store. */
export function compiledStatements(statements: StatementFactory<CompiledSchema>) {
  return {
    get: statements.of<[classHash: Uint8Array, compiler: string]>()((db, [classHash, compiler]) =>
      db
        .selectFrom("compiled_class")
        .select(["poseidon_hash", "blake_hash", "bytecode_length", "casm", "digest"])
        .where("class_hash", "=", classHash)
        .where("compiler", "=", compiler),
    ),
    use: statements.of<[usedAtMs: number, classHash: Uint8Array]>()((db, [usedAtMs, classHash]) =>
      db
        .updateTable("compiled_class")
        .set({ used_at_ms: usedAtMs })
        .where("class_hash", "=", classHash),
    ),
    put: statements.of<
      [Uint8Array, string, Uint8Array, Uint8Array, number, number, number, Uint8Array, Uint8Array]
    >()((db, [classHash, compiler, poseidon, blake, length, sizeBytes, usedAtMs, casm, digest]) =>
      db.replaceInto("compiled_class").values({
        class_hash: classHash,
        compiler,
        poseidon_hash: poseidon,
        blake_hash: blake,
        bytecode_length: length,
        size_bytes: sizeBytes,
        used_at_ms: usedAtMs,
        casm,
        digest,
      }),
    ),
    total: statements.of<[]>()((db) =>
      db
        .selectFrom("compiled_class")
        .select(sql<bigint>`coalesce(sum(size_bytes), 0)`.as("size_bytes")),
    ),
    oldest: statements.of<[]>()((db) =>
      db
        .selectFrom("compiled_class")
        .select(["class_hash", "size_bytes"])
        .orderBy("used_at_ms")
        .limit(1),
    ),
    remove: statements.of<[classHash: Uint8Array]>()((db, [classHash]) =>
      db.deleteFrom("compiled_class").where("class_hash", "=", classHash),
    ),
  };
}
