import type { BytesColumn } from "./columns.ts";

/** Single values. Keys of the storage itself have no prefix, keys of the node start with `node:`. */
export interface MetaTable {
  key: string;
  /** UTF-8 text for `chain_id`, a decimal number as UTF-8 for counters, any bytes for the node. */
  value: BytesColumn;
}
