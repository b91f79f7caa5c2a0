import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Events are indexed over ranges of blocks instead of by a filter for each block. The index is made of
 * receipts, by what opens the file: `deriveEventIndex`.
 */
export const history: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  `create table event_segment (
    id integer primary key,
    entries blob not null
  ) strict`,
  "drop table block_event_filter",
];
