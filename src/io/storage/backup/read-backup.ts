import { createHash, type Hash } from "node:crypto";
import { closeSync, constants, fsyncSync, fstatSync, openSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import { AppError, StorageError } from "#base/errors/index.ts";
import { fileFailure } from "../file-failure.ts";
import { requireRoom, syncPath } from "../vacuum.ts";
import { type BackupManifest, readManifest } from "./manifest.ts";
import {
  COPY_BYTES,
  type CopyStep,
  MAGIC,
  MAX_MANIFEST_BYTES,
  SUM_BYTES,
  TRAILER_BYTES,
} from "./trailer.ts";

/** Open backup file. */
export interface OpenBackup {
  readonly manifest: BackupManifest;
  readonly sizeBytes: number;
  /**
   * Extracts its parts into a folder, under their names and with mode 0600. Flushes them to disk and verifies
   * the checksum on the way.
   *
   * @throws {StorageError} STORAGE_BACKUP_DAMAGED when the checksum does not match, so that the extracted
   *   files are unusable; STORAGE_NO_SPACE, before anything is written, when they cannot fit;
   *   STORAGE_FILE_FAILED when a file cannot be written
   */
  extractTo(folder: string, onStep: CopyStep): Promise<void>;
  /**
   * Verifies the checksum of the whole file.
   *
   * @throws {StorageError} STORAGE_BACKUP_DAMAGED when it does not match
   */
  verify(onStep: CopyStep): Promise<void>;
  close(): void;
}

/**
 * Opens a backup and reads its manifest.
 *
 * @throws {StorageError} STORAGE_FILE_FAILED when it cannot be read, STORAGE_BACKUP_DAMAGED when it is not a
 *   complete backup
 */
export function openBackup(path: string): OpenBackup {
  let input: number;
  try {
    // Opening a pipe without a writer would block.
    input = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (cause) {
    throw fileFailure(`the backup ${path} cannot be read`, cause);
  }
  try {
    const { manifest, manifestAt, sizeBytes } = lookInto(input, path);
    return {
      manifest,
      sizeBytes,
      async extractTo(folder, onStep) {
        try {
          await extract({ input, path, sizeBytes, manifest, manifestAt }, folder, onStep);
        } catch (cause) {
          if (cause instanceof AppError) throw cause;
          throw fileFailure(`the backup ${path} cannot be restored to ${folder}`, cause);
        }
      },
      verify: (onStep) => verify({ input, path, sizeBytes }, onStep),
      close: () => closeSync(input),
    };
  } catch (error) {
    closeSync(input);
    if (error instanceof AppError) throw error;
    throw fileFailure(`the backup ${path} cannot be read`, error);
  }
}

interface Found {
  readonly manifest: BackupManifest;
  readonly manifestAt: number;
  readonly sizeBytes: number;
}

function lookInto(input: number, path: string): Found {
  const stats = fstatSync(input);
  if (!stats.isFile()) throw damaged(path, "it is not a file");
  const sizeBytes = stats.size;
  if (sizeBytes < TRAILER_BYTES) throw damaged(path, "it is too short");
  const trailer = bytesAt(input, sizeBytes - TRAILER_BYTES, TRAILER_BYTES);
  if (trailer.toString("latin1", 4, 4 + MAGIC.length) !== MAGIC) {
    throw damaged(path, "it is not a backup, or its end is missing");
  }
  const length = trailer.readUInt32BE(0);
  const manifestAt = sizeBytes - TRAILER_BYTES - length;
  if (length > MAX_MANIFEST_BYTES || manifestAt < 0) throw damaged(path, "its manifest is damaged");
  const manifest = readManifest(bytesAt(input, manifestAt, length).toString("utf8"), path);
  const total = manifest.parts.reduce((sum, part) => sum + part.sizeBytes, 0);
  if (total !== manifestAt) throw damaged(path, "the sizes of its parts do not match its manifest");
  return { manifest, manifestAt, sizeBytes };
}

async function extract(
  { input, path, sizeBytes, manifest, manifestAt }: Found & { input: number; path: string },
  folder: string,
  onStep: CopyStep,
): Promise<void> {
  // The part sizes, not the file's disk usage: a sparse file takes less space than its content.
  requireRoom(folder, manifestAt);
  const hash = createHash("sha256");
  const buffer = Buffer.allocUnsafe(COPY_BYTES);
  let at = 0;
  for (const { name, sizeBytes: size } of manifest.parts) {
    const output = openSync(join(folder, name), "wx", 0o600);
    try {
      for (const end = at + size; at < end;) {
        const count = readSync(input, buffer, 0, Math.min(COPY_BYTES, end - at), at);
        if (count === 0) throw damaged(path, "it became shorter");
        hash.update(buffer.subarray(0, count));
        for (let done = 0; done < count;) done += writeSync(output, buffer, done, count - done);
        at += count;
        await onStep(at, manifestAt);
      }
      fsyncSync(output);
    } finally {
      closeSync(output);
    }
  }
  const sumAt = sizeBytes - SUM_BYTES;
  hash.update(bytesAt(input, at, sumAt - at));
  requireSum(hash, { input, path, sizeBytes });
  syncPath(folder);
}

async function verify(file: Whole, onStep: CopyStep): Promise<void> {
  const { input, path, sizeBytes } = file;
  const sumAt = sizeBytes - SUM_BYTES;
  const hash = createHash("sha256");
  for (let at = 0; at < sumAt;) {
    const bytes = bytesAt(input, at, Math.min(COPY_BYTES, sumAt - at));
    if (bytes.length === 0) throw damaged(path, "it became shorter");
    hash.update(bytes);
    at += bytes.length;
    await onStep(at, sumAt);
  }
  requireSum(hash, file);
}

/** Open file of a backup. */
interface Whole {
  readonly input: number;
  readonly path: string;
  readonly sizeBytes: number;
}

/** Compares the stored checksum with that of all bytes before it. */
function requireSum(hash: Hash, { input, path, sizeBytes }: Whole): void {
  if (hash.digest().equals(bytesAt(input, sizeBytes - SUM_BYTES, SUM_BYTES))) return;
  throw damaged(path, "its checksum (SHA-256) does not match");
}

function bytesAt(input: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let done = 0; done < length;) {
    const count = readSync(input, bytes, done, length - done, at + done);
    if (count === 0) return bytes.subarray(0, done);
    done += count;
  }
  return bytes;
}

function damaged(path: string, reason: string): StorageError {
  return new StorageError("STORAGE_BACKUP_DAMAGED", `${path} cannot be restored: ${reason}`, {
    meta: { path },
  });
}
