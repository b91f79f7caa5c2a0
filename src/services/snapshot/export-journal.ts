import type { WritableFolder } from "#io/folders/index.ts";
import { MANIFEST } from "./kinds.ts";
import {
  decodeManifest,
  encodeManifest,
  MAX_MANIFEST_BYTES,
  type SnapshotManifest,
} from "./manifest.ts";

/** The manifest of what is written so far, under its name until all of it is. */
const UNFINISHED = "unfinished.json";

/** What a folder has of a snapshot. */
export interface FoundExport {
  readonly isWhole: boolean;
  readonly manifest: SnapshotManifest;
}

/**
 * The snapshot that a folder has, or has begun.
 *
 * @throws {StorageError} STORAGE_SNAPSHOT_WRONG when it has something else under the name of one
 */
export async function findExport(target: WritableFolder): Promise<FoundExport | undefined> {
  for (const name of [MANIFEST, UNFINISHED]) {
    const bytes = await target.read(name, MAX_MANIFEST_BYTES);
    if (bytes === undefined) continue;
    return { isWhole: name === MANIFEST, manifest: decodeManifest(bytes, name) };
  }
  return undefined;
}

/** Keeps what is written so far: what it names is durable already. */
export async function keepExport(
  target: WritableFolder,
  manifest: SnapshotManifest,
): Promise<void> {
  await target.write(UNFINISHED, encodeManifest(manifest));
}

/** From now on it is a snapshot. */
export async function finishExport(
  target: WritableFolder,
  manifest: SnapshotManifest,
): Promise<void> {
  await target.write(MANIFEST, encodeManifest(manifest));
  await target.remove(UNFINISHED);
}

/** Deletes a snapshot that was begun, with what it names. */
export async function dropExport(
  target: WritableFolder,
  { files }: SnapshotManifest,
): Promise<void> {
  for (const { name } of files) await target.remove(name);
  await target.remove(UNFINISHED);
}
