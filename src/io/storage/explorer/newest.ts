/**
 * Definitions of the tables of the explorer's database. Their text is the version of the file: a file with
 * other definitions is not migrated but built again.
 */
export const EXPLORER_TABLES: readonly string[] = [
  `CREATE TABLE meta (
        key text primary key,
        value blob not null
      ) strict, without rowid`,
  `CREATE TABLE felt (
        id integer primary key,
        value blob not null unique
      ) strict`,
  `CREATE TABLE indexed_block (
        number integer primary key,
        timestamp integer not null,
        transactions integer not null,
        l2_gas integer not null,
        last_felt integer not null,
        hash blob not null,
        ids blob not null
      ) strict`,
  `CREATE TABLE sent (
        sender integer not null,
        block integer not null,
        position integer not null,
        primary key (sender, block, position)
      ) strict, without rowid`,
  `CREATE TABLE touched (
        contract integer not null,
        block integer not null,
        position integer not null,
        primary key (contract, block, position)
      ) strict, without rowid`,
  `CREATE TABLE transfer (
        holder integer not null,
        block integer not null,
        position integer not null,
        event integer not null,
        token integer not null,
        primary key (holder, block, position, event)
      ) strict, without rowid`,
  `CREATE TABLE class_contract (
        class integer not null,
        block integer not null,
        contract integer not null,
        replaced integer not null,
        primary key (class, block, contract)
      ) strict, without rowid`,
  `CREATE TABLE declared (
        block integer not null,
        place integer not null,
        class integer not null,
        primary key (block, place, class)
      ) strict, without rowid`,
];
