import { createHash, type Hash } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { Database } from "bun:sqlite";
import { AppError, StorageError } from "#base/errors/index.ts";
import { fileFailure } from "../file-failure.ts";
import { fileIdentity, isUnwritten } from "../file-identity.ts";
import { type FolderLock, lockFolder } from "../lock.ts";
import { syncPath, vacuumInto } from "../vacuum.ts";
import { type BackupManifest, type BackupPart, manifestText } from "./manifest.ts";
import { isFile, requireFree, describeBackup } from "./target.ts";
import { COPY_BYTES, type CopyStep, MAGIC } from "./trailer.ts";

/** Settings of {@link writeBackup}. */
export interface BackupRequest {
  readonly chainDatabase: string;
  /** Received transactions; omitted if the file does not exist. */
  readonly mempoolDatabase: string;
  /** File with the block signing key; `null` to omit it. */
  readonly keyFile: string | null;
  /** Path of the backup; must not exist. */
  readonly target: string;
  readonly program: string;
  readonly createdAt: Date;
  readonly onStep: CopyStep;
}

/** Result of {@link writeBackup}. */
export interface BackupResult {
  readonly manifest: BackupManifest;
  readonly sizeBytes: number;
  /** Checksum of everything before the checksum itself, in hex. */
  readonly sha256: string;
}

/**
 * Writes a backup of a chain that may be in use: a snapshot of the chain, and the transactions that were
 * received shortly before it. A received transaction in neither of them arrived after the backup started.
 *
 * Works in the folder `<target>.tmp`; the backup appears atomically. A leftover of a killed process in that
 * folder is deleted by the next backup.
 *
 * @throws {StorageError} STORAGE_EXISTS when the target exists, STORAGE_LOCKED when a backup to it is in
 *   progress, STORAGE_NO_SPACE, STORAGE_FILE_FAILED
 */
export async function writeBackup(request: BackupRequest): Promise<BackupResult> {
  const { target } = request;
  const isThere = isFile(target);
  if (!isThere) requireFree(target);
  const folder = `${target}.tmp`;
  const lock = lockWorkFolder(folder, target);
  try {
    clear(folder);
    if (isThere) throw await existsError(request);
    return await writeIn(folder, request);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw fileFailure(`the backup ${target} cannot be written`, cause);
  } finally {
    clear(folder);
    removeFolder(folder, () => lock.release());
  }
}

/** The file may come from an earlier, killed run: the message says whether it is reliable. */
async function existsError({ target, onStep }: BackupRequest): Promise<StorageError> {
  const what = await describeBackup(target, onStep);
  const message = `${target} exists already: ${what}`;
  return new StorageError("STORAGE_EXISTS", message, { meta: { target } });
}

/**
 * File names in the work folder. No data directory has such files, so a data directory that happens to have
 * the folder's name loses nothing.
 */
const CHAIN_PART = "chain.part";
const MEMPOOL_PART = "mempool.part";

async function writeIn(folder: string, request: BackupRequest): Promise<BackupResult> {
  const { chainDatabase, mempoolDatabase, keyFile, target, onStep } = request;
  const chain = join(folder, CHAIN_PART);
  const mempool = join(folder, MEMPOOL_PART);
  // Copied first: a transaction that leaves the mempool meanwhile is then in the chain copy.
  const hasMempool = existsSync(mempoolDatabase) && !isUnwritten(mempoolDatabase);
  if (hasMempool) vacuumInto(mempoolDatabase, mempool);
  await onStep(0, 1);
  vacuumInto(chainDatabase, chain);
  const more: [BackupPart["name"], string][] = [];
  if (hasMempool) more.push(["mempool.db", mempool]);
  if (keyFile !== null) more.push(["block-signing.key", keyFile]);
  const parts: BackupPart[] = [{ name: "chain.db", sizeBytes: statSync(chain).size }];
  for (const [name, file] of more) parts.push({ name, sizeBytes: statSync(file).size });
  const manifest: BackupManifest = {
    ...fileIdentity(chain),
    newestBlock: newestBlockOf(chain),
    program: request.program,
    createdAt: request.createdAt.toISOString(),
    parts,
  };
  const output = openSync(chain, "r+");
  try {
    const hash = createHash("sha256");
    const total = parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    let done = 0;
    const step = async (bytes: number): Promise<void> => onStep((done += bytes), total);
    await read(chain, parts[0]?.sizeBytes ?? 0, hash, step);
    let at = parts[0]?.sizeBytes ?? 0;
    const append = (bytes: Uint8Array): void => {
      hash.update(bytes);
      at = writeAll(output, bytes, at);
    };
    for (const [i, [, file]] of more.entries()) {
      const size = parts[i + 1]?.sizeBytes ?? 0;
      at = await copy(file, size, { output, at, hash }, step);
    }
    const text = Buffer.from(manifestText(manifest));
    append(text);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(text.length);
    append(Buffer.concat([length, Buffer.from(MAGIC)]));
    const sum = hash.digest();
    at = writeAll(output, sum, at);
    fsyncSync(output);
    place(chain, target);
    return { manifest, sizeBytes: at, sha256: sum.toString("hex") };
  } finally {
    closeSync(output);
  }
}

/** Output file, write position, and running hash. */
interface Output {
  readonly output: number;
  readonly at: number;
  readonly hash: Hash;
}

type Step = (bytes: number) => Promise<void>;

async function read(file: string, size: number, hash: Hash, step: Step): Promise<void> {
  const input = openSync(file, "r");
  try {
    const buffer = Buffer.allocUnsafe(COPY_BYTES);
    for (let at = 0; at < size;) {
      const count = readSync(input, buffer, 0, Math.min(COPY_BYTES, size - at), at);
      if (count === 0) throw shortened(file);
      hash.update(buffer.subarray(0, count));
      at += count;
      await step(count);
    }
  } finally {
    closeSync(input);
  }
}

async function copy(file: string, size: number, to: Output, step: Step): Promise<number> {
  const input = openSync(file, "r");
  try {
    const buffer = Buffer.allocUnsafe(COPY_BYTES);
    let { at } = to;
    for (let from = 0; from < size;) {
      const count = readSync(input, buffer, 0, Math.min(COPY_BYTES, size - from), from);
      if (count === 0) throw shortened(file);
      const bytes = buffer.subarray(0, count);
      to.hash.update(bytes);
      at = writeAll(to.output, bytes, at);
      from += count;
      await step(count);
    }
    return at;
  } finally {
    closeSync(input);
  }
}

function writeAll(output: number, bytes: Uint8Array, start: number): number {
  let at = 0;
  while (at < bytes.length) {
    at += writeSync(output, bytes, at, bytes.length - at, start + at);
  }
  return start + at;
}

/** Moves the file to the target, unless that exists by now. */
function place(file: string, target: string): void {
  try {
    linkSync(file, target);
    rmSync(file);
  } catch (cause) {
    const code = (cause as { readonly code?: unknown }).code;
    if (code === "EEXIST") requireFree(target);
    // Without hard links on the file system, there is a short race between check and rename.
    requireFree(target);
    renameSync(file, target);
  }
  syncPath(dirname(target));
}

function newestBlockOf(path: string): number | null {
  using connection = new Database(path, { readonly: true, strict: true });
  const row = connection
    .query<{ n: number | null }, []>("select max(number) as n from block")
    .get();
  return row?.n ?? null;
}

function lockWorkFolder(folder: string, target: string): FolderLock {
  // The target of a link belongs to someone else.
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
    const message = `${folder} is a symbolic link; the backup is made in a folder of that name`;
    throw new StorageError("STORAGE_EXISTS", message, { meta: { folder } });
  }
  try {
    return lockFolder(folder);
  } catch (cause) {
    if (!(cause instanceof StorageError) || cause.code !== "STORAGE_LOCKED") throw cause;
    const message = `another process is making the backup ${target}, or uses the folder ${folder}`;
    throw new StorageError("STORAGE_LOCKED", message, { meta: { folder }, cause });
  }
}

/** Deletes the work files of a backup, and nothing else. */
function clear(folder: string): void {
  for (const name of [CHAIN_PART, MEMPOOL_PART]) {
    for (const suffix of ["", "-wal", "-shm", "-journal"]) {
      rmSync(join(folder, name + suffix), { force: true });
    }
  }
}

function removeFolder(folder: string, release: () => void): void {
  for (const name of readdirSync(folder)) {
    if (name.startsWith("lock.db")) rmSync(join(folder, name), { force: true });
  }
  release();
  try {
    rmdirSync(folder);
  } catch {
    // Another program has put a file there; the folder stays.
  }
}

function shortened(file: string): StorageError {
  return new StorageError("STORAGE_FILE_FAILED", `${file} became shorter while it was read`);
}
