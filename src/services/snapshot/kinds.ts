/**
 * What files of a snapshot hold, in the order in which they are written and read:
 *
 * - `block`: the bundle of the block;
 * - `headers`: those before it that later blocks need, ascending;
 * - `messages`: the messages from L1 that were consumed, whose numbers may not be consumed again;
 * - `classes`: the declared classes;
 * - `contracts`: contracts with class and nonce;
 * - `storage`: storage variables, by contract;
 * - `bundles`: of later blocks, ascending.
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

/** What a file of a snapshot holds. */
export type SnapshotKind = (typeof KINDS)[number];

/** Most bytes of a file. */
export const MAX_FILE_BYTES: number = 64 * 2 ** 20;

/** Most files of a snapshot: 4 TiB. */
export const MAX_FILES = 65_536;

/** The manifest's name: it is written last, so that where it is the snapshot is whole. */
export const MANIFEST = "manifest.json";

/** Digits of a file's number. */
const DIGITS = 6;

/** The name of a file: `storage-000042.bin`. */
export function fileName(kind: SnapshotKind, index: number): string {
  return `${kind}-${String(index).padStart(DIGITS, "0")}.bin`;
}
