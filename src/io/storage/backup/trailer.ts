/**
 * A backup is the parts one after the other, then the manifest as JSON, and at the end a trailer: length
 * of the manifest (4 bytes, big-endian), {@link MAGIC}, and SHA-256 of everything before the sum. The
 * first part is a database, which programs for SQLite open as it is: what follows is behind its last page.
 */
export const MAGIC = "appchain-backup1";

/** Bytes of the checksum. */
export const SUM_BYTES = 32;

/** Bytes of length and magic, and of the checksum. */
export const TRAILER_BYTES: number = 4 + MAGIC.length + SUM_BYTES;

/** Most bytes of a manifest. */
export const MAX_MANIFEST_BYTES: number = 64 * 1024;

/** Bytes that are copied at once. */
export const COPY_BYTES: number = 4 * 2 ** 20;

/** Told about bytes that are done; lets others have their turn, and throws to stop. */
export type CopyStep = (doneBytes: number, totalBytes: number) => Promise<void>;
