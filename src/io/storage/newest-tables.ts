/**
 * Definitions of the tables and indexes of the chain database. The text is exactly the one that the migrations
 * leave in a new file: a check compares it.
 */
export const CHAIN_TABLES: readonly string[] = [
  `CREATE TABLE meta (
    key text primary key,
    value blob not null
  ) strict, without rowid`,
  `CREATE TABLE block (
    number integer primary key,
    hash blob not null,
    header blob not null,
    signature_r blob not null,
    signature_s blob not null,
    epoch integer not null,
    inputs blob not null,
    last_node_id integer not null
  ) strict`,
  "CREATE UNIQUE INDEX block_by_hash on block (hash)",
  `CREATE TABLE block_state_diff (
    block integer primary key,
    diff blob not null
  ) strict`,
  `CREATE TABLE transaction_chunk (
    id integer primary key,
    items blob not null
  ) strict`,
  `CREATE TABLE transaction_index (
    prefix integer not null,
    location integer not null,
    primary key (prefix, location)
  ) strict, without rowid`,
  `CREATE TABLE contract (
    address blob primary key,
    id integer not null
  ) strict, without rowid`,
  `CREATE TABLE contract_storage (
    contract integer not null,
    key blob not null,
    block integer not null,
    value blob not null,
    primary key (contract, key, block)
  ) strict, without rowid`,
  `CREATE TABLE contract_nonce (
    contract integer not null,
    block integer not null,
    nonce blob not null,
    primary key (contract, block)
  ) strict, without rowid`,
  `CREATE TABLE contract_class (
    contract integer not null,
    block integer not null,
    class_hash blob not null,
    primary key (contract, block)
  ) strict, without rowid`,
  `CREATE TABLE compiled_class_hash (
    class_hash blob not null,
    block integer not null,
    compiled_class_hash blob not null,
    primary key (class_hash, block)
  ) strict, without rowid`,
  `CREATE TABLE class (
    hash blob not null unique,
    declared_block integer not null,
    definition blob not null,
    casm blob,
    sierra_version integer not null,
    sierra_program_length integer not null,
    abi_length integer not null
  , casm_digest blob) strict`,
  "CREATE INDEX class_by_block on class (declared_block)",
  `CREATE TABLE l1_message (
    nonce blob not null,
    block integer not null,
    position integer not null,
    transaction_hash blob not null,
    l1_transaction_hash blob,
    primary key (nonce, block)
  ) strict, without rowid`,
  "CREATE INDEX l1_message_by_block on l1_message (block)",
  `CREATE INDEX l1_message_by_l1_transaction on l1_message (l1_transaction_hash)
    where l1_transaction_hash is not null`,
  `CREATE TABLE trie_root (
    kind integer not null,
    contract integer not null,
    block integer not null,
    node_id integer not null,
    hash blob not null,
    primary key (kind, contract, block)
  ) strict, without rowid`,
  `CREATE TABLE trie_removed (
    block integer primary key,
    ids blob not null
  ) strict`,
  `CREATE TABLE event_segment (
    id integer primary key,
    entries blob not null
  ) strict`,
  `CREATE TABLE trie_page (
    id integer primary key,
    nodes blob not null
  ) strict`,
];
