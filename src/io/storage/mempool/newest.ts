/**
 * Definitions of the tables and indexes of the mempool database. The text is exactly the one that the migrations
 * leave in a new file: a check compares it.
 */
export const MEMPOOL_TABLES: readonly string[] = [
  `CREATE TABLE meta (
        key text primary key,
        value blob not null
      ) strict, without rowid`,
  `CREATE TABLE mempool_transaction (
        sequence integer primary key autoincrement,
        hash blob not null unique,
        received_at_ms integer not null,
        bytes blob not null
      , suspect integer not null default 0, contract_class blob, casm_json text) strict`,
  `CREATE TABLE mempool_rejection (
        hash blob primary key,
        rejected_at_ms integer not null,
        cause text not null,
        reason text not null
      ) strict, without rowid`,
  `CREATE INDEX mempool_rejection_by_time
        on mempool_rejection (rejected_at_ms)`,
  `CREATE TABLE mempool_impersonated (
        hash blob primary key
      ) strict, without rowid`,
  `CREATE TABLE mempool_pause (
        sender blob primary key,
        drops integer not null,
        ends_at_ms integer not null
      ) strict, without rowid`,
  "CREATE INDEX mempool_pause_by_time on mempool_pause (ends_at_ms)",
  `CREATE TABLE mempool_suspect_message (
        hash blob primary key,
        crashes integer not null,
        reason text
      ) strict, without rowid`,
];
