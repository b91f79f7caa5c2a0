import { type RawBuilder, sql } from "kysely";
import type { StatementFactory } from "../statement.ts";
import type { ExplorerSchema } from "./schema.ts";

type TransactionPage = [id: number, block: number, position: number, limit: number];

/** Prepares the queries of the lists; each reads the rows before a place, newest first. */
export function readStatements(statements: StatementFactory<ExplorerSchema>) {
  return {
    feltId: statements.of<[value: Uint8Array]>()((db, [value]) =>
      db.selectFrom("felt").select("id").where("value", "=", value),
    ),
    felt: statements.of<[id: number]>()((db, [id]) =>
      db.selectFrom("felt").select("value").where("id", "=", id),
    ),
    sent: statements.of<TransactionPage>()((db, [id, block, position, limit]) =>
      db
        .selectFrom("sent")
        .select(["block", "position"])
        .where("sender", "=", id)
        .where(before(["block", "position"], [block, position]))
        .orderBy("block", "desc")
        .orderBy("position", "desc")
        .limit(limit),
    ),
    touched: statements.of<TransactionPage>()((db, [id, block, position, limit]) =>
      db
        .selectFrom("touched")
        .select(["block", "position"])
        .where("contract", "=", id)
        .where(before(["block", "position"], [block, position]))
        .orderBy("block", "desc")
        .orderBy("position", "desc")
        .limit(limit),
    ),
    transfers: statements.of<
      [holder: number, block: number, position: number, event: number, limit: number]
    >()((db, [holder, block, position, event, limit]) =>
      db
        .selectFrom("transfer")
        .select(["block", "position", "event", "token"])
        .where("holder", "=", holder)
        .where(before(["block", "position", "event"], [block, position, event]))
        .orderBy("block", "desc")
        .orderBy("position", "desc")
        .orderBy("event", "desc")
        .limit(limit),
    ),
    contracts: statements.of<[classId: number, block: number, contract: number, limit: number]>()(
      (db, [classId, block, contract, limit]) =>
        db
          .selectFrom("class_contract")
          .select(["block", "contract", "replaced"])
          .where("class", "=", classId)
          .where(before(["block", "contract"], [block, contract]))
          .orderBy("block", "desc")
          .orderBy("contract", "desc")
          .limit(limit),
    ),
    declared: statements.of<[block: number, place: number, classId: number, limit: number]>()(
      (db, [block, place, classId, limit]) =>
        db
          .selectFrom("declared")
          .select(["block", "place", "class"])
          .where(before(["block", "place", "class"], [block, place, classId]))
          .orderBy("block", "desc")
          .orderBy("place", "desc")
          .orderBy("class", "desc")
          .limit(limit),
    ),
    summaries: statements.of<[from: number, to: number]>()((db, [from, to]) =>
      db
        .selectFrom("indexed_block")
        .select(["timestamp", "transactions", "l2_gas"])
        .where("number", ">=", from)
        .where("number", "<=", to)
        .orderBy("number"),
    ),
  };
}

/** Compares columns with a place, as a row: rows before the place are found by the table's key. */
function before(columns: readonly string[], place: readonly unknown[]): RawBuilder<boolean> {
  return sql<boolean>`(${sql.join(columns.map((name) => sql.ref(name)))}) < (${sql.join(place)})`;
}
