import type { WritableFolder } from "#io/folders/index.ts";
import { MANIFEST } from "./kinds.ts";
import {
  decodeManifest,
  encodeManifest,
  MAX_MANIFEST_BYTES,
  type SnapshotManifest,
} from "./manifest.ts";

/** Name of the manifest until the export is complete. */
const UNFINISHED = "unfinished.json";

/** Complete or unfinished snapshot found in the target folder of an export. */
export interface FoundExport {
  readonly isWhole: boolean;
  readonly manifest: SnapshotManifest;
}

/**
 * Returns the snapshot in a folder, complete or unfinished; `undefined` if none.
 *
 * @throws {StorageError} STORAGE_SNAPSHOT_WRONG when a manifest file holds something else
 */
export async function findExport(target: WritableFolder): Promise<FoundExport | undefined> {
  for (const name of [MANIFEST, UNFINISHED]) {
    const bytes = await target.read(name, MAX_MANIFEST_BYTES);
    if (bytes === undefined) continue;
    return { isWhole: name === MANIFEST, manifest: decodeManifest(bytes, name) };
  }
  return undefined;
}

/**
 * Writes the manifest of an unfinished export, from which a later run continues. All files named in
 * it must already be durable.
 */
export async function keepExport(
  target: WritableFolder,
  manifest: SnapshotManifest,
): Promise<void> {
  await target.write(UNFINISHED, encodeManifest(manifest));
}

/** Turns an unfinished export into a complete snapshot. */
export async function finishExport(
  target: WritableFolder,
  manifest: SnapshotManifest,
): Promise<void> {
  await target.write(MANIFEST, encodeManifest(manifest));
  await target.remove(UNFINISHED);
}

/** Deletes an unfinished export with all files that it names. */
export async function dropExport(
  target: WritableFolder,
  { files }: SnapshotManifest,
): Promise<void> {
  for (const { name } of files) await target.remove(name);
  await target.remove(UNFINISHED);
}
