import type { Generated } from "kysely";
import type { BytesColumn } from "../schema/columns.ts";
import type { MetaTable } from "../schema/meta.ts";

/** Table row: a value that was fetched from a fork's origin, by the text of its query. */
export interface OriginValueTable {
  /** Text of the query: `originQueryText` in `io/origin`. */
  key: string;
  /** Value of the query in its own encoding; `null` when the origin has none. */
  value: BytesColumn | null;
}

/** Table row: a value of which any number may exist, so that the oldest are deleted. */
export interface LimitedValueTable extends OriginValueTable {
  /** Ascending in the order of storing. */
  sequence: Generated<bigint>;
}

/** Tables of the fork database. */
export interface ForkSchema {
  meta: MetaTable;
  origin_value: OriginValueTable;
  limited_value: LimitedValueTable;
}
