import { decodeManifest, MANIFEST, sha256Of, type SnapshotKind } from "#services/snapshot/index.ts";
import { FileBuilder } from "#services/snapshot/file-builder.ts";
import { rowsOf } from "#services/snapshot/file-form.ts";
import { encodeManifest } from "#services/snapshot/manifest.ts";
import type { RowOf } from "#services/snapshot/rows.ts";
import type { MemoryFolder } from "./memory-folder.ts";

/** Copies a snapshot with other bytes in one file, and with a manifest that matches them. */
export function forged(
  whole: MemoryFolder,
  name: string,
  change: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>,
  rows?: number,
): MemoryFolder {
  const copy = whole.copy();
  const bytes = change(copy.files.get(name) ?? new Uint8Array());
  copy.files.set(name, bytes);
  const manifest = decodeManifest(copy.files.get(MANIFEST) ?? new Uint8Array());
  const files = manifest.files.map((file) =>
    file.name === name
      ? { ...file, rows: rows ?? file.rows, sizeBytes: bytes.length, sha256: sha256Of(bytes) }
      : file,
  );
  copy.files.set(MANIFEST, encodeManifest({ ...manifest, files }));
  return copy;
}

/** Copies a snapshot with other rows in one file, and with a manifest that matches them. */
export function withRows<K extends SnapshotKind>(
  whole: MemoryFolder,
  kind: K,
  change: (rows: RowOf[K][]) => RowOf[K][],
): MemoryFolder {
  const name = `${kind}-000000.bin`;
  const rows = change([...rowsOf(kind, name, whole.files.get(name) ?? new Uint8Array())]);
  const builder = new FileBuilder(kind, 2 ** 24);
  for (const row of rows) builder.add(row);
  return forged(whole, name, () => builder.end()?.bytes ?? new Uint8Array(), rows.length);
}

/**
 * Returns a function that changes the row at `index` of a list; a negative index counts from the
 * end.
 */
export const changedRow =
  <T>(index: number, change: (row: T) => T) =>
  (rows: T[]): T[] => {
    const at = index < 0 ? rows.length + index : index;
    return rows.map((row, i) => (i === at ? change(row) : row));
  };
