import type { StatementFactory } from "../statement.ts";
import type { ForkSchema } from "./schema.ts";

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
  };
}
