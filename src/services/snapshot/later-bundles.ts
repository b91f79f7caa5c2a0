import type { ReadableFolder } from "#io/folders/index.ts";
import { rowsOf } from "./file-form.ts";
import type { SnapshotManifest } from "./manifest.ts";
import { readSnapshotFile } from "./read-file.ts";
import { wrongSnapshot } from "./wrong.ts";

/** Bundle of a block after the snapshot's block. Only its size and position are verified. */
export interface LaterBundle {
  /** Name of the file that contains it. */
  readonly file: string;
  readonly blockNumber: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * Yields the bundles of the blocks after the snapshot's block, ascending.
 *
 * @param after - only bundles of later blocks are yielded; files that end at or before it are not read
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
