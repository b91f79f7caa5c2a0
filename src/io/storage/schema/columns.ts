import type { ColumnType } from "kysely";

/** INTEGER. Read as `bigint` (the connection has safe integers), written as either. */
export type IntegerColumn = ColumnType<bigint, number | bigint, number | bigint>;

/** BLOB with an unsigned integer (felt, L1 hash, nonce): minimal big-endian bytes, 0 is empty. */
export type UintColumn = Uint8Array;

/** BLOB in the format that the column's comment names. */
export type BytesColumn = Uint8Array;
