import type { StatementFactory } from "../statement.ts";
import type { ExplorerSchema } from "./schema.ts";

/** Prepares the queries about indexed blocks, which writer and readers share. */
export function blockStatements(statements: StatementFactory<ExplorerSchema>) {
  return {
    block: statements.of<[number: number]>()((db, [number]) =>
      db
        .selectFrom("indexed_block")
        .select(["number", "hash", "timestamp", "last_felt"])
        .where("number", "=", number),
    ),
    newest: statements.of<[]>()((db) =>
      db
        .selectFrom("indexed_block")
        .select(["number", "hash", "last_felt"])
        .orderBy("number", "desc")
        .limit(1),
    ),
    oldest: statements.of<[]>()((db) =>
      db.selectFrom("indexed_block").select(["number", "hash"]).orderBy("number").limit(1),
    ),
  };
}
