/**
 * Kinds of snapshot files, in the order in which they are written and read:
 *
 * - `block`: bundle of the block;
 * - `headers`: earlier headers that later blocks need, ascending;
 * - `messages`: consumed messages from L1, whose numbers must not be consumed again;
 * - `classes`: declared classes;
 * - `contracts`: contracts with class and nonce;
 * - `storage`: storage variables, by contract;
 * - `bundles`: bundles of later blocks, ascending.
 */
export const KINDS = [
  "block",
  "headers",
  "messages",
  "classes",
  "contracts",
  "storage",
  "bundles",
] as const;

/** Kind of a snapshot file. */
export type SnapshotKind = (typeof KINDS)[number];

/** Maximum size of a file in bytes. */
export const MAX_FILE_BYTES: number = 64 * 2 ** 20;

/** Maximum number of files per snapshot: 4 TiB. */
export const MAX_FILES = 65_536;

/** Name of the manifest. It is written last: a folder that has it holds a complete snapshot. */
export const MANIFEST = "manifest.json";

const DIGITS = 6;

/** Returns the name of a file, such as `storage-000042.bin`. */
export function fileName(kind: SnapshotKind, index: number): string {
  return `${kind}-${String(index).padStart(DIGITS, "0")}.bin`;
}
