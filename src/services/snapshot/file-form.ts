import { createHash } from "node:crypto";
import { ByteReader, ByteWriter } from "#base/codec/index.ts";
import { KINDS, type SnapshotKind } from "./kinds.ts";
import { ROW_FORMS, type RowForm, type RowOf } from "./rows.ts";
import { decoded } from "./wrong.ts";

/** First bytes of every file; they change with the form of rows. */
const MAGIC = "appchain-snapshot-1";

/** A file's bytes: magic, number of its kind, how many rows, the rows. */
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
 * The rows of a file, one after the other.
 *
 * @param name - of the file, for messages
 * @throws {StorageError} STORAGE_SNAPSHOT_WRONG when it is no such file, or a row is none; rows before it
 *   were given
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

/** SHA-256 in hexadecimal. */
export function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
