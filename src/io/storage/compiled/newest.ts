/**
 * Definitions of the tables and indexes of the database of compiled classes. The text is exactly the one that the migrations
 * leave in a new file: a check compares it.
 */
export const COMPILED_TABLES: readonly string[] = [
  `CREATE TABLE meta (
        key text primary key,
        value blob not null
      ) strict, without rowid`,
  `CREATE TABLE compiled_class (
        class_hash blob primary key,
        compiler text not null,
        poseidon_hash blob not null,
        blake_hash blob not null,
        bytecode_length integer not null,
        size_bytes integer not null,
        used_at_ms integer not null,
        casm blob not null
      , digest blob not null default x'') strict`,
  `CREATE INDEX compiled_class_by_use
        on compiled_class (used_at_ms, size_bytes)`,
];
