import type { BytesColumn, IntegerColumn, UintColumn } from "../schema/columns.ts";
import type { MetaTable } from "../schema/meta.ts";

/** Classes that were compiled. */
export interface CompiledClassTable {
  class_hash: UintColumn;
  /** Which compiler made it: other ones may give other code. */
  compiler: string;
  poseidon_hash: UintColumn;
  blake_hash: UintColumn;
  /** Felts of bytecode. */
  bytecode_length: IntegerColumn;
  /** CASM as JSON text, compressed with zstd. */
  casm: BytesColumn;
  size_bytes: IntegerColumn;
  /** Unix milliseconds. */
  used_at_ms: IntegerColumn;
  /** Form: `digestOf` of `compiled/digest.ts`. */
  digest: BytesColumn;
}

/** Tables of the database of compiled classes. */
export interface CompiledSchema {
  meta: MetaTable;
  compiled_class: CompiledClassTable;
}
