import { createHash } from "node:crypto";
import { ByteReader, ByteWriter } from "#base/codec/index.ts";
import { KINDS, type SnapshotKind } from "./kinds.ts";
import { ROW_FORMS, type RowForm, type RowOf } from "./rows.ts";
import { decoded } from "./wrong.ts";

/** Magic text at the start of every file; changes with the row format. */
const MAGIC = "appchain-snapshot-1";

/** Encodes a file: magic, number of its kind, row count, rows. */
export function encodeFile(
  kind: SnapshotKind,
  rows: number,
  body: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(body.length + 64);
  writer.text(MAGIC);
  writer.varint(KINDS.indexOf(kind));
  writer.varint(rows);
  writer.raw(body);
  return writer.finish();
}

/**
 * Yields the rows of a file.
 *
 * @param name - file name for messages
 * @throws {StorageError} STORAGE_SNAPSHOT_WRONG when the file has another format, or at the first malformed
 * row; earlier rows have been yielded by then
 */
export function* rowsOf<K extends SnapshotKind>(
  kind: K,
  name: string,
  bytes: Uint8Array,
): Generator<RowOf[K]> {
  const form: RowForm<RowOf[K]> = ROW_FORMS[kind];
  const reader = new ByteReader(bytes, "byte ");
  const count = decoded(name, () => {
    if (reader.text() !== MAGIC) reader.fail(`a file that begins with ${MAGIC}`, 0);
    if (reader.varint() !== KINDS.indexOf(kind)) reader.fail(`a file of ${kind}`, 0);
    return reader.count();
  });
  let before: RowOf[K] | undefined;
  for (let i = 0; i < count; i++) {
    const row = decoded(name, () => form.read(reader, before));
    yield row;
    before = row;
  }
  decoded(name, () => reader.end());
}

/** Returns the SHA-256 in hexadecimal. */
export function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
