import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Migrations of the mempool database, applied in the order of their names. */
export const MEMPOOL_MIGRATIONS: Readonly<Record<string, Migration>> = {
  "0001-initial": {
    async up(db: Kysely<unknown>): Promise<void> {
      await sql`create table meta (
        key text primary key,
        value blob not null
      ) strict, without rowid`.execute(db);
      await sql`create table mempool_transaction (
        sequence integer primary key autoincrement,
        hash blob not null unique,
        received_at_ms integer not null,
        bytes blob not null
      ) strict`.execute(db);
    },
  },
  "0002-rejections": {
    async up(db: Kysely<unknown>): Promise<void> {
      await sql`alter table mempool_transaction
        add column suspect integer not null default 0`.execute(db);
      await sql`create table mempool_rejection (
        hash blob primary key,
        rejected_at_ms integer not null,
        cause text not null,
        reason text not null
      ) strict, without rowid`.execute(db);
      await sql`create index mempool_rejection_by_time
        on mempool_rejection (rejected_at_ms)`.execute(db);
    },
  },
  // Last columns, because SQLite reads a long row only up to the last selected column.
  "0003-classes": {
    async up(db: Kysely<unknown>): Promise<void> {
      await sql`alter table mempool_transaction add column contract_class blob`.execute(db);
      await sql`alter table mempool_transaction add column casm_json text`.execute(db);
    },
  },
  // A separate table: a column after the classes would make SQLite read all of them.
  "0004-impersonated": {
    async up(db: Kysely<unknown>): Promise<void> {
      await sql`create table mempool_impersonated (
        hash blob primary key
      ) strict, without rowid`.execute(db);
    },
  },
  "0005-pauses": {
    async up(db: Kysely<unknown>): Promise<void> {
      await sql`create table mempool_pause (
        sender blob primary key,
        drops integer not null,
        ends_at_ms integer not null
      ) strict, without rowid`.execute(db);
      await sql`create index mempool_pause_by_time on mempool_pause (ends_at_ms)`.execute(db);
    },
  },
  "0006-suspect-messages": {
    async up(db: Kysely<unknown>): Promise<void> {
      await sql`create table mempool_suspect_message (
        hash blob primary key,
        crashes integer not null,
        reason text
      ) strict, without rowid`.execute(db);
    },
  },
};
