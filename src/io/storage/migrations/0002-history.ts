import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { fillEventIndex } from "../event-index/fill.ts";

/** Events are indexed over ranges of blocks instead of by a filter for each block. */
export const history: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
    await fillEventIndex(db);
  },
};

const STATEMENTS = [
  `create table event_segment (
    id integer primary key,
    entries blob not null
  ) strict`,
  "drop table block_event_filter",
];
