import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Migrations of the compiled class database, applied in the order of their names. */
export const COMPILED_MIGRATIONS: Readonly<Record<string, Migration>> = {
  "0001-initial": {
    async up(db: Kysely<unknown>): Promise<void> {
      await sql`create table meta (
        key text primary key,
        value blob not null
      ) strict, without rowid`.execute(db);
      await sql`create table compiled_class (
        class_hash blob primary key,
        compiler text not null,
        poseidon_hash blob not null,
        blake_hash blob not null,
        bytecode_length integer not null,
        size_bytes integer not null,
        used_at_ms integer not null,
        casm blob not null
      ) strict`.execute(db);
      await sql`create index compiled_class_by_use
        on compiled_class (used_at_ms, size_bytes)`.execute(db);
    },
  },
  // Entries without a digest are dropped and compiled again.
  "0002-digest": {
    async up(db: Kysely<unknown>): Promise<void> {
      await sql`delete from compiled_class`.execute(db);
      await sql`alter table compiled_class
        add column digest blob not null default x''`.execute(db);
    },
  },
};
