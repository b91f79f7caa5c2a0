import type { BytesColumn, IntegerColumn, UintColumn } from "./columns.ts";

/** Classes by hash, as first declared. */
export interface ClassTable {
  hash: UintColumn;
  declared_block: IntegerColumn;
  /** Format: `encodeContractClass`, zstd. */
  definition: BytesColumn;
  /** Compiled class as JSON text, zstd; `null` for Cairo 0 classes. */
  casm: BytesColumn | null;
  /** SHA-256 of the bytes in {@link casm}, because no hash of the chain covers hints; `null` if `casm` is. */
  casm_digest: BytesColumn | null;
  /** `major * 2^40 + minor * 2^20 + patch` of the Sierra program; 0 for Cairo 0 classes. */
  sierra_version: IntegerColumn;
  sierra_program_length: IntegerColumn;
  /** Length of the ABI text in bytes. */
  abi_length: IntegerColumn;
}
