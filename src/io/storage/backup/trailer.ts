/**
 * Magic text of a backup. A backup is the concatenation of its parts, the manifest as JSON, and a trailer.
 * The trailer is the manifest's length (4 bytes, big-endian), {@link MAGIC}, and SHA-256 of everything before
 * the checksum. The first part is a database, which SQLite tools can open in place: the other data follows
 * its last page.
 */
export const MAGIC = "appchain-backup1";

/** Size of the checksum in bytes. */
export const SUM_BYTES = 32;

/** Size of length, magic and checksum in bytes. */
export const TRAILER_BYTES: number = 4 + MAGIC.length + SUM_BYTES;

/** Maximum size of a manifest in bytes. */
export const MAX_MANIFEST_BYTES: number = 64 * 1024;

/** Bytes copied per step. */
export const COPY_BYTES: number = 4 * 2 ** 20;

/** Reports the number of processed bytes and yields to other work; throws to stop. */
export type CopyStep = (doneBytes: number, totalBytes: number) => Promise<void>;
