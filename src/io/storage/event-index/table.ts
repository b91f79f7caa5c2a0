import { fixed, ONE } from "../chain-statements.ts";
import type { ChainSchema } from "../schema/index.ts";
import type { StatementFactory } from "../statement.ts";
import type { SegmentRow } from "./entries.ts";
import type { SegmentRows, StoredSegmentRow } from "./rows.ts";
import { rowId, unpackRowId } from "./segment.ts";

/** Event index rows in a database. Changes need an open transaction. */
export class SegmentTable implements SegmentRows {
  readonly #selectRow;
  readonly #selectBehind;
  readonly #selectRange;
  readonly #count;
  readonly #insert;
  readonly #delete;
  readonly #deleteRange;

  constructor(statements: StatementFactory<ChainSchema>) {
    this.#selectRow = statements.of<[id: bigint]>()((db, [id]) =>
      db
        .selectFrom("event_segment")
        .select(["id", "entries"])
        .where("id", "<=", fixed(id))
        .orderBy("id", "desc")
        .limit(ONE),
    );
    this.#selectBehind = statements.of<[id: bigint, last: bigint]>()((db, [id, last]) =>
      db
        .selectFrom("event_segment")
        .select(["id", "entries"])
        .where("id", ">", fixed(id))
        .where("id", "<=", fixed(last))
        .orderBy("id")
        .limit(ONE),
    );
    this.#selectRange = statements.of<[from: bigint, last: bigint]>()((db, [from, last]) =>
      db
        .selectFrom("event_segment")
        .select(["id", "entries"])
        .where("id", ">=", fixed(from))
        .where("id", "<=", fixed(last))
        .orderBy("id"),
    );
    this.#count = statements.of<[from: bigint, last: bigint]>()((db, [from, last]) =>
      db
        .selectFrom("event_segment")
        .select((row) => row.fn.countAll<bigint>().as("count"))
        .where("id", ">=", from)
        .where("id", "<=", last),
    );
    this.#insert = statements.of<[id: bigint, entries: Uint8Array]>()((db, [id, entries]) =>
      db.insertInto("event_segment").values({ id, entries }),
    );
    this.#delete = statements.of<[id: bigint]>()((db, [id]) =>
      db.deleteFrom("event_segment").where("id", "=", id),
    );
    this.#deleteRange = statements.of<[from: bigint, last: bigint]>()((db, [from, last]) =>
      db.deleteFrom("event_segment").where("id", ">=", from).where("id", "<=", last),
    );
  }

  rowOf(place: number, item: number): SegmentRow | undefined {
    const row = this.#selectRow.get(rowId(place, item));
    if (row === undefined) return undefined;
    const stored = storedRow(row);
    return stored.place === place ? stored : undefined;
  }

  rowBehind(place: number, item: number): SegmentRow | undefined {
    const row = this.#selectBehind.get(rowId(place, item), lastIdBelow(place + 1));
    return row === undefined ? undefined : storedRow(row);
  }

  range(from: number, below: number): readonly StoredSegmentRow[] {
    return this.#selectRange.all(rowId(from, 0), lastIdBelow(below)).map(storedRow);
  }

  count(from: number, below: number): number {
    return Number(this.#count.get(rowId(from, 0), lastIdBelow(below))?.count ?? 0n);
  }

  insert(place: number, { item, entries }: SegmentRow): void {
    this.#insert.run(rowId(place, item), entries);
  }

  delete(place: number, item: number): void {
    this.#delete.run(rowId(place, item));
  }

  deleteRange(from: number, below: number): void {
    this.#deleteRange.run(rowId(from, 0), lastIdBelow(below));
  }
}

function storedRow(row: { readonly id: bigint; readonly entries: Uint8Array }): StoredSegmentRow {
  return { ...unpackRowId(row.id), entries: row.entries };
}

/** Returns the greatest id of rows at places below `below`; for the last place, SQLite's maximum. */
function lastIdBelow(below: number): bigint {
  return rowId(below, 0) - 1n;
}
