import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Replaces the per-block event filters by an event index over block ranges. `deriveEventIndex` builds the
 * index from receipts when the file is opened.
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
