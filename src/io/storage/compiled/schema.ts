import type { BytesColumn, IntegerColumn, UintColumn } from "../schema/columns.ts";
import type { MetaTable } from "../schema/meta.ts";

/** Table row: compiled code of a Sierra class, by class hash. */
export interface CompiledClassTable {
  class_hash: UintColumn;
  /** Name and revision of the compiler; another one may produce different code. */
  compiler: string;
  poseidon_hash: UintColumn;
  blake_hash: UintColumn;
  bytecode_length: IntegerColumn;
  /** CASM as JSON text, compressed with zstd. */
  casm: BytesColumn;
  size_bytes: IntegerColumn;
  /** Unix milliseconds. */
  used_at_ms: IntegerColumn;
  /** Format: `digestOf` in `compiled/digest.ts`. */
  digest: BytesColumn;
}

/** Tables of the compiled class database. */
export interface CompiledSchema {
  meta: MetaTable;
  compiled_class: CompiledClassTable;
}
