import { sql } from "kysely";
import type { StatementFactory } from "../statement.ts";
import type { ForkSchema } from "./schema.ts";

/** Estimated bytes of a row besides its key and value: both indexes. */
export const ENTRY_BYTES = 64;

/** Estimated bytes of a row of `limited_value`. */
const ROW_BYTES = sql<bigint>`length(key) * 2 + coalesce(length(value), 0) + ${sql.lit(ENTRY_BYTES)}`;

/** Prepares the queries of a fork store. */
export function forkStatements(statements: StatementFactory<ForkSchema>) {
  return {
    meta: statements.of<[key: string]>()((db, [key]) =>
      db.selectFrom("meta").select("value").where("key", "=", key),
    ),
    putMeta: statements.of<[key: string, value: Uint8Array]>()((db, [key, value]) =>
      db
        .insertInto("meta")
        .values({ key, value })
        .onConflict((conflict) => conflict.doNothing()),
    ),
    get: statements.of<[key: string]>()((db, [key]) =>
      db.selectFrom("origin_value").select("value").where("key", "=", key),
    ),
    // The newest block that L1 accepted is the only value that changes.
    put: statements.of<[key: string, value: Uint8Array | null]>()((db, [key, value]) =>
      db
        .insertInto("origin_value")
        .values({ key, value })
        .onConflict((conflict) => conflict.column("key").doUpdateSet({ value })),
    ),
    getLimited: statements.of<[key: string]>()((db, [key]) =>
      db.selectFrom("limited_value").select("value").where("key", "=", key),
    ),
    putLimited: statements.of<[key: string, value: Uint8Array | null]>()((db, [key, value]) =>
      db
        .insertInto("limited_value")
        .values({ key, value })
        .onConflict((conflict) => conflict.doNothing()),
    ),
    // A used value follows all others.
    useLimited: statements.of<[key: string]>()((db, [key]) =>
      db
        .updateTable("limited_value")
        .set({
          sequence: sql<bigint>`(select max(sequence) + 1 from limited_value)`,
        })
        .where("key", "=", key),
    ),
    limitedSize: statements.of<[key: string]>()((db, [key]) =>
      db.selectFrom("limited_value").select(ROW_BYTES.as("bytes")).where("key", "=", key),
    ),
    takeLimited: statements.of<[key: string]>()((db, [key]) =>
      db.deleteFrom("limited_value").where("key", "=", key),
    ),
    limitedBytes: statements.of<[]>()((db) =>
      db
        .selectFrom("limited_value")
        .select(({ fn }) => fn.coalesce(fn.sum<bigint>(ROW_BYTES), sql.lit(0)).as("bytes")),
    ),
    oldestLimited: statements.of<[count: number]>()((db, [count]) =>
      db
        .selectFrom("limited_value")
        .select(["sequence", ROW_BYTES.as("bytes")])
        .orderBy("sequence")
        .limit(count),
    ),
    deleteLimited: statements.of<[upTo: bigint]>()((db, [upTo]) =>
      db.deleteFrom("limited_value").where("sequence", "<=", upTo),
    ),
  };
}
