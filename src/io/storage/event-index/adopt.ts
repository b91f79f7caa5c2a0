import { type Kysely, sql } from "kysely";
import { storeRows } from "./fill.ts";
import { RowsInMemory } from "./memory-rows.ts";
import { END_OF_PLACES } from "./rows.ts";
import { newestFull, rowId, unpackRowId } from "./segment.ts";
import { EventIndexWriter } from "./writer.ts";

/**
 * Converts an index whose full segments were built in one step to the layout of {@link EventIndexWriter}.
 * Only the newest full segment and the blocks after it differ; they are held in memory meanwhile.
 *
 * @throws {DecodeError} when a row is damaged
 */
export async function adoptEventIndex(db: Kysely<unknown>): Promise<void> {
  const newest = await sql<{ number: bigint }>`
    select number from block order by number desc limit 1`.execute(db);
  const latest = Number(newest.rows[0]?.number ?? -1n);
  const from = rowId(newestFull(latest) ?? 0, 0);
  const stored = await sql<{ id: bigint; entries: Uint8Array }>`
    select id, entries from event_segment where id >= ${from} order by id`.execute(db);
  const rows = new RowsInMemory();
  for (const { id, entries } of stored.rows) {
    const { place, item } = unpackRowId(id);
    rows.insert(place, { item, entries });
  }
  new EventIndexWriter(rows).adopt(latest);
  await sql`delete from event_segment where id >= ${from}`.execute(db);
  await storeRows(db, rows.take(END_OF_PLACES));
}
