import type { ReadableFolder } from "#io/folders/index.ts";
import { rowsOf } from "./file-form.ts";
import type { SnapshotManifest } from "./manifest.ts";
import { readSnapshotFile } from "./read-file.ts";
import { wrongSnapshot } from "./wrong.ts";

/** A bundle behind the block of a snapshot, which nothing but its size and its place says anything of. */
export interface LaterBundle {
  /** The file in which it stands. */
  readonly file: string;
  readonly blockNumber: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * The bundles of a snapshot behind a block, ascending.
 *
 * @param after - files that end before it are not read
 * @throws {StorageError} STORAGE_SNAPSHOT_WRONG naming the file and the value
 * @throws as {@link ReadableFolder.read}
 */
export async function* laterBundles(
  source: ReadableFolder,
  { files, blockNumber }: SnapshotManifest,
  after: number,
): AsyncGenerator<LaterBundle> {
  let next = blockNumber + 1;
  for (const file of files) {
    if (file.kind !== "bundles") continue;
    const end = next + file.rows;
    if (end - 1 <= after) {
      next = end;
      continue;
    }
    for (const row of rowsOf("bundles", file.name, await readSnapshotFile(source, file))) {
      if (next > after) yield { file: file.name, blockNumber: next, bytes: new Uint8Array(row) };
      next++;
    }
    if (next === end) continue;
    const found = next - (end - file.rows);
    throw wrongSnapshot(file.name, `expected ${file.rows} rows, found ${found}`);
  }
}
