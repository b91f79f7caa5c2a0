import type { BytesColumn } from "../schema/columns.ts";
import type { MetaTable } from "../schema/meta.ts";

/** Table row: a value that was fetched from a fork's origin, by the text of its query. */
export interface OriginValueTable {
  /** Text of the query: `originQueryText` in `io/origin`. */
  key: string;
  /** Value of the query in its own encoding; `null` when the origin has none. */
  value: BytesColumn | null;
}

/** Tables of the fork database. */
export interface ForkSchema {
  meta: MetaTable;
  origin_value: OriginValueTable;
}
