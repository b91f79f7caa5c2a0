import { AppError } from "#base/errors/index.ts";
import type { ReadableFolder } from "#io/folders/index.ts";
import { sha256Of } from "./file-form.ts";
import type { SnapshotFile } from "./manifest.ts";
import { wrongSnapshot } from "./wrong.ts";

/**
 * Reads a file of a snapshot whose size and SHA-256 match the manifest.
 *
 * @throws {StorageError} STORAGE_SNAPSHOT_WRONG when it is missing, or its size or hash differs
 * @throws as {@link ReadableFolder.read}
 */
export async function readSnapshotFile(
  source: ReadableFolder,
  { name, sizeBytes, sha256 }: SnapshotFile,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await readBounded(source, name, sizeBytes);
  if (bytes.length !== sizeBytes) {
    throw wrongSnapshot(name, `expected ${sizeBytes} bytes, found ${bytes.length}`);
  }
  const found = sha256Of(bytes);
  if (found !== sha256) throw wrongSnapshot(name, `expected SHA-256 ${sha256}, found ${found}`);
  return bytes;
}

/**
 * Reads a required file.
 *
 * @throws {StorageError} STORAGE_SNAPSHOT_WRONG when it is missing, or longer than `maxBytes`
 */
export async function readBounded(
  source: ReadableFolder,
  name: string,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  let bytes: Uint8Array<ArrayBuffer> | undefined;
  try {
    bytes = await source.read(name, maxBytes);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "STORAGE_FILE_TOO_LONG") throw error;
    throw wrongSnapshot(name, `expected ${maxBytes} bytes at most, found more`, error);
  }
  if (bytes === undefined) throw wrongSnapshot(name, `it is not in ${source.name}`);
  return bytes;
}
