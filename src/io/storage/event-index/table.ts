import { fixed, ONE } from "../chain-statements.ts";
import type { ChainSchema } from "../schema/index.ts";
import type { StatementFactory } from "../statement.ts";
import type { SegmentRow } from "./entries.ts";
import type { SegmentRows, StoredSegmentRow } from "./rows.ts";
import { rowId, unpackRowId } from "./segment.ts";

/** The rows of a database. Changes need an open transaction. */
export class SegmentTable implements SegmentRows {
  readonly #selectRow;
  readonly #selectFrom;
  readonly #insert;
  readonly #deleteFrom;

  constructor(statements: StatementFactory<ChainSchema>) {
    this.#selectRow = statements.of<[id: bigint]>()((db, [id]) =>
      db
        .selectFrom("event_segment")
        .select(["id", "entries"])
        .where("id", "<=", fixed(id))
        .orderBy("id", "desc")
        .limit(ONE),
    );
    this.#selectFrom = statements.of<[id: bigint]>()((db, [id]) =>
      db
        .selectFrom("event_segment")
        .select(["id", "entries"])
        .where("id", ">=", fixed(id))
        .orderBy("id"),
    );
    this.#insert = statements.of<[id: bigint, entries: Uint8Array]>()((db, [id, entries]) =>
      db.insertInto("event_segment").values({ id, entries }),
    );
    this.#deleteFrom = statements.of<[id: bigint]>()((db, [id]) =>
      db.deleteFrom("event_segment").where("id", ">=", id),
    );
  }

  /** The row of a segment that has `item`, if any has; `undefined` when the segment has no rows. */
  rowOf(firstBlock: number, item: number): StoredSegmentRow | undefined {
    const row = this.#selectRow.get(rowId(firstBlock, item));
    if (row === undefined) return undefined;
    const stored = storedRow(row);
    return stored.firstBlock === firstBlock ? stored : undefined;
  }

  from(firstBlock: number): readonly StoredSegmentRow[] {
    return this.#selectFrom.all(rowId(firstBlock, 0)).map(storedRow);
  }

  insert(firstBlock: number, { item, entries }: SegmentRow): void {
    this.#insert.run(rowId(firstBlock, item), entries);
  }

  deleteFrom(firstBlock: number): void {
    this.#deleteFrom.run(rowId(firstBlock, 0));
  }
}

function storedRow(row: { readonly id: bigint; readonly entries: Uint8Array }): StoredSegmentRow {
  return { ...unpackRowId(row.id), entries: row.entries };
}
