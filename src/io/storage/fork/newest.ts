/**
 * Definitions of the tables of a fork's database. The text is exactly the one that the migrations leave in a
 * new file: a check compares it.
 */
export const FORK_TABLES: readonly string[] = [
  `CREATE TABLE meta (
        key text primary key,
        value blob not null
      ) strict, without rowid`,
  `CREATE TABLE origin_value (
        key text primary key,
        value blob
      ) strict`,
  `CREATE TABLE limited_value (
        sequence integer primary key,
        key text not null unique,
        value blob
      ) strict`,
];
