import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Migrations of the fork database, applied in the order of their names. */
export const FORK_MIGRATIONS: Readonly<Record<string, Migration>> = {
  "0001-initial": {
    async up(db: Kysely<unknown>): Promise<void> {
      await sql`create table meta (
        key text primary key,
        value blob not null
      ) strict, without rowid`.execute(db);
      await sql`create table origin_value (
        key text primary key,
        value blob
      ) strict`.execute(db);
    },
  },
  "0002-limited": {
    async up(db: Kysely<unknown>): Promise<void> {
      await sql`create table limited_value (
        sequence integer primary key,
        key text not null unique,
        value blob
      ) strict`.execute(db);
    },
  },
};
