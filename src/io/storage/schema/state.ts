import type { IntegerColumn, UintColumn } from "./columns.ts";

/** Short ids of contract addresses. Ids are positive and never reused, not even after a revert. */
export interface ContractTable {
  address: UintColumn;
  id: IntegerColumn;
}

/** Values of storage variables, by the block that wrote them. */
export interface ContractStorageTable {
  contract: IntegerColumn;
  key: UintColumn;
  block: IntegerColumn;
  value: UintColumn;
}

/** Nonces by the block that changed them. */
export interface ContractNonceTable {
  contract: IntegerColumn;
  block: IntegerColumn;
  nonce: UintColumn;
}

/** Class hashes of contracts by the block that deployed or replaced them. */
export interface ContractClassTable {
  contract: IntegerColumn;
  block: IntegerColumn;
  class_hash: UintColumn;
}

/** Compiled class hashes of Sierra classes by the block that declared or migrated them. */
export interface CompiledClassHashTable {
  class_hash: UintColumn;
  block: IntegerColumn;
  compiled_class_hash: UintColumn;
}
