import type { BytesColumn, IntegerColumn, UintColumn } from "./columns.ts";

/** Classes by hash, as first declared. */
export interface ClassTable {
  hash: UintColumn;
  declared_block: IntegerColumn;
  /** `encodeContractClass`, zstd. */
  definition: BytesColumn;
  /** Compiled class as JSON text, zstd; `null` for Cairo 0 classes. */
  casm: BytesColumn | null;
  /** SHA-256 of the bytes in {@link casm}: no hash of the chain covers hints. `null` where that is. */
  casm_digest: BytesColumn | null;
  /** `major * 2^40 + minor * 2^20 + patch` of the Sierra program; 0 for Cairo 0 classes. */
  sierra_version: IntegerColumn;
  /** Felts of the Sierra program. */
  sierra_program_length: IntegerColumn;
  /** Bytes of the ABI text. */
  abi_length: IntegerColumn;
}
