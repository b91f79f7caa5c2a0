import type { WritableFolder } from "#io/folders/index.ts";
import type { SnapshotReader } from "#io/storage/index.ts";
import { finishExport, keepExport } from "./export-journal.ts";
import { type BuiltFile, FileBuilder } from "./file-builder.ts";
import { rowsOf, sha256Of } from "./file-form.ts";
import { fileName, KINDS, MAX_FILE_BYTES, type SnapshotKind } from "./kinds.ts";
import { requireWhole, type SnapshotFile, type SnapshotManifest } from "./manifest.ts";
import { type RowPages, rowPages } from "./row-pages.ts";
import type { RowOf } from "./rows.ts";
import { wrongSnapshot } from "./wrong.ts";

/** Source and target of a snapshot export. */
export interface SnapshotExport {
  readonly reader: SnapshotReader;
  readonly target: WritableFolder;
  /** Manifest with the files already written for this block of this chain. */
  readonly startManifest: SnapshotManifest;
  /** Size in bytes from which a file is full; the row that reaches it is its last. */
  readonly fileBytes: number;
  /** Yields to other work; throws to stop. Written files are kept. */
  readonly step: (kind: SnapshotKind, rows: number) => Promise<void>;
}

/**
 * Writes a snapshot, or continues one, file by file; the manifest is written last.
 *
 * @returns the manifest
 * @throws {StorageError} STORAGE_SNAPSHOT_WRONG when a file written before has changed
 */
export async function exportSnapshot(work: SnapshotExport): Promise<SnapshotManifest> {
  const { reader, target, startManifest } = work;
  const pages = rowPages(reader, startManifest.newestBlock);
  let manifest = startManifest;
  // The journal identifies the folder's content, even when only a part of the first file exists.
  await keepExport(target, manifest);
  const keep = async (kind: SnapshotKind, { bytes, rows }: BuiltFile<unknown>): Promise<void> => {
    const name = fileName(kind, filesOf(manifest, kind).length);
    await target.write(name, bytes);
    const file = { name, kind, rows, sizeBytes: bytes.length, sha256: sha256Of(bytes) };
    manifest = { ...manifest, files: [...manifest.files, file] };
    await keepExport(target, manifest);
  };
  for (const kind of KINDS) {
    // Files are written in the order of kinds, so a file of a later kind means that this kind is done.
    const isDone = manifest.files.some((file) => KINDS.indexOf(file.kind) > KINDS.indexOf(kind));
    if (!isDone) await exportKind(work, kind, pages, manifest, keep);
  }
  requireWhole(manifest);
  await finishExport(target, manifest);
  return manifest;
}

async function exportKind<K extends SnapshotKind>(
  { target, fileBytes, step }: SnapshotExport,
  kind: K,
  pages: { readonly [P in K]: RowPages<P> },
  manifest: SnapshotManifest,
  keep: (kind: K, file: BuiltFile<RowOf[K]>) => Promise<void>,
): Promise<void> {
  const written = filesOf(manifest, kind);
  let done = written.reduce((sum, { rows }) => sum + rows, 0);
  let after = await lastRowOf<K>(kind, written.at(-1), target);
  const builder = new FileBuilder(kind, fileBytes);
  for (;;) {
    const page = pages[kind](after, done);
    if (page.length === 0) break;
    for (const row of page) {
      const file = builder.add(row);
      if (file !== undefined) await keep(kind, file);
    }
    done += page.length;
    after = page.at(-1);
    await step(kind, done);
  }
  const rest = builder.end();
  if (rest !== undefined) await keep(kind, rest);
}

function filesOf({ files }: SnapshotManifest, kind: SnapshotKind): readonly SnapshotFile[] {
  return files.filter((file) => file.kind === kind);
}

/** Returns the last row already written, after which the export continues. */
async function lastRowOf<K extends SnapshotKind>(
  kind: K,
  file: SnapshotFile | undefined,
  target: WritableFolder,
): Promise<RowOf[K] | undefined> {
  if (file === undefined) return undefined;
  const { name, sha256 } = file;
  const bytes = await target.read(name, MAX_FILE_BYTES);
  if (bytes === undefined || sha256Of(bytes) !== sha256) {
    throw wrongSnapshot(name, `expected SHA-256 ${sha256} as it was written, found another file`);
  }
  let last: RowOf[K] | undefined;
  for (const row of rowsOf(kind, name, bytes)) last = row;
  return last;
}
