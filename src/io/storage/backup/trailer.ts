/**
 * Magic text of a backup. A backup is the concatenation of its parts, the manifest as JSON, and a trailer.
 * The trailer is the manifest's length (4 bytes, big-endian), {@link MAGIC}, and SHA-256 of everything before
 * the checksum. The first part is a database, which SQLite tools can open in place: the other data follows
 * its last page.
 */
export const MAGIC = "appchain-backup1";

/** Size of a backup's SHA-256 checksum in bytes. */
export const SUM_BYTES = 32;

/** Size of a backup's trailer in bytes: manifest length, magic text and checksum. */
export const TRAILER_BYTES: number = 4 + MAGIC.length + SUM_BYTES;

/** Maximum size of a backup's manifest in bytes; a longer one is refused as damaged. */
export const MAX_MANIFEST_BYTES: number = 64 * 1024;

/** Bytes that a backup or restore copies before it reports progress and yields. */
export const COPY_BYTES: number = 4 * 2 ** 20;

/** Reports the number of processed bytes and yields to other work; throws to stop. */
export type CopyStep = (doneBytes: number, totalBytes: number) => Promise<void>;
