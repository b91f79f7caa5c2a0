import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Creates the tables of the first release. Columns are described in `schema/`. */
export const initial: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  `create table meta (
    key text primary key,
    value blob not null
  ) strict, without rowid`,
  `create table block (
    number integer primary key,
    hash blob not null,
    header blob not null,
    signature_r blob not null,
    signature_s blob not null,
    epoch integer not null,
    inputs blob not null,
    last_node_id integer not null
  ) strict`,
  "create unique index block_by_hash on block (hash)",
  `create table block_state_diff (
    block integer primary key,
    diff blob not null
  ) strict`,
  `create table block_event_filter (
    block integer primary key,
    filter blob not null
  ) strict`,
  `create table transaction_chunk (
    id integer primary key,
    items blob not null
  ) strict`,
  `create table transaction_index (
    prefix integer not null,
    location integer not null,
    primary key (prefix, location)
  ) strict, without rowid`,
  `create table contract (
    address blob primary key,
    id integer not null
  ) strict, without rowid`,
  `create table contract_storage (
    contract integer not null,
    key blob not null,
    block integer not null,
    value blob not null,
    primary key (contract, key, block)
  ) strict, without rowid`,
  `create table contract_nonce (
    contract integer not null,
    block integer not null,
    nonce blob not null,
    primary key (contract, block)
  ) strict, without rowid`,
  `create table contract_class (
    contract integer not null,
    block integer not null,
    class_hash blob not null,
    primary key (contract, block)
  ) strict, without rowid`,
  `create table compiled_class_hash (
    class_hash blob not null,
    block integer not null,
    compiled_class_hash blob not null,
    primary key (class_hash, block)
  ) strict, without rowid`,
  `create table class (
    hash blob not null unique,
    declared_block integer not null,
    definition blob not null,
    casm blob,
    sierra_version integer not null,
    sierra_program_length integer not null,
    abi_length integer not null
  ) strict`,
  "create index class_by_block on class (declared_block)",
  `create table l1_message (
    nonce blob not null,
    block integer not null,
    position integer not null,
    transaction_hash blob not null,
    l1_transaction_hash blob,
    primary key (nonce, block)
  ) strict, without rowid`,
  "create index l1_message_by_block on l1_message (block)",
  `create index l1_message_by_l1_transaction on l1_message (l1_transaction_hash)
    where l1_transaction_hash is not null`,
  `create table trie_node (
    id integer primary key,
    bytes blob not null
  ) strict`,
  `create table trie_root (
    kind integer not null,
    contract integer not null,
    block integer not null,
    node_id integer not null,
    hash blob not null,
    primary key (kind, contract, block)
  ) strict, without rowid`,
  `create table trie_removed (
    block integer primary key,
    ids blob not null
  ) strict`,
];
