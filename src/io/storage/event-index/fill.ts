import { type Kysely, sql } from "kysely";
import { decodeReceipt, type Event } from "#protocol/chain/index.ts";
import { CHUNK_SIZE, chunkId, unpackChunk, unpackLocation } from "../transactions/chunk.ts";
import { RowsInMemory } from "./memory-rows.ts";
import { END_OF_PLACES, type StoredSegmentRow } from "./rows.ts";
import { rowId, SEGMENT_BLOCKS, SETTLE_BLOCKS } from "./segment.ts";
import { EventIndexWriter } from "./writer.ts";

/** Number of transaction rows in memory at a time. */
const PORTION_ROWS = 64;

interface ChunkRow {
  readonly id: bigint;
  readonly items: Uint8Array;
}

/**
 * Builds the event index of a database without one, from the receipts of its blocks. Memory holds one portion
 * of receipts and the index of one segment.
 *
 * @throws {DecodeError} when a row is damaged
 */
export async function fillEventIndex(db: Kysely<unknown>): Promise<void> {
  const newest = await sql<{ number: bigint }>`
    select number from block order by number desc limit 1`.execute(db);
  const latest = Number(newest.rows[0]?.number ?? -1n);
  const rows = new RowsInMemory();
  const writer = new EventIndexWriter(rows);
  let next = 0;
  const insert = async (block: number, events: readonly Event[]): Promise<void> => {
    for (; next <= block; next++) {
      writer.insert(next, next === block ? events : []);
      const settled = next + 1 - SETTLE_BLOCKS;
      if (settled > 0 && settled % SEGMENT_BLOCKS === 0) await storeRows(db, rows.take(settled));
    }
  };

  let open: { readonly block: number; readonly events: Event[] } | undefined;
  for (let from = 0n; ;) {
    const portion = await sql<ChunkRow>`
      select id, items from transaction_chunk
      where id >= ${from} and id < ${chunkId(latest + 1, 0)} order by id limit ${PORTION_ROWS}
    `.execute(db);
    for (const { id, items } of portion.rows) {
      const block = unpackLocation(id * BigInt(CHUNK_SIZE)).blockNumber;
      if (open?.block !== block) {
        if (open !== undefined) await insert(open.block, open.events);
        open = { block, events: [] };
      }
      for (const receipt of unpackChunk(items).receipts) {
        open.events.push(...decodeReceipt(receipt).events);
      }
      from = id + 1n;
    }
    if (portion.rows.length < PORTION_ROWS) break;
  }
  if (open !== undefined) await insert(open.block, open.events);
  await insert(latest, []);
  await storeRows(db, rows.take(END_OF_PLACES));
}

/** Inserts rows into the event index. */
export async function storeRows(
  db: Kysely<unknown>,
  rows: readonly StoredSegmentRow[],
): Promise<void> {
  for (const { place, item, entries } of rows) {
    const id = rowId(place, item);
    await sql`insert into event_segment (id, entries) values (${id}, ${entries})`.execute(db);
  }
}
