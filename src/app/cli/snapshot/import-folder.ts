import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { AppError, StorageError } from "#base/errors/index.ts";
import {
  fileFailure,
  type FolderLock,
  lockFolder,
  requireRoom,
  syncPath,
} from "#io/storage/index.ts";
import { DATABASE_SUFFIXES, IMPORT_FOLDER, OWN_FILES, RESTORE_FOLDER } from "#app/node/index.ts";

/** File that records the origin of an import. */
const ORIGIN = "origin";

/** A node's files that may exist before an import. */
const MAY_BE_THERE: ReadonlySet<string> = new Set(["block-signing.key", "lock.db"]);

/** A data directory during an import; locked until released. */
export interface ImportFolder {
  /** Where the database is created. */
  readonly chainDatabase: string;
  /** Progress of an earlier import of the same snapshot. */
  readonly found: "nothing" | "a part" | "all";
  /** Moves the complete database into place, and releases the directory. */
  finish(): void;
  /** Releases the directory, and keeps the partial import. */
  keep(): void;
  /** Releases the directory in the state in which it was found. */
  discard(): void;
}

/**
 * Takes a directory without a chain, or one with a started import of the same snapshot.
 *
 * @param manifestSha256 - identifies the snapshot; the remains of another snapshot's import are deleted
 * @param neededBytes - minimum size of the database
 * @throws {StorageError} STORAGE_EXISTS when there is a chain, STORAGE_LOCKED when another process uses it,
 * STORAGE_NO_SPACE when the disk is too small, STORAGE_FILE_FAILED when it cannot be written
 */
export function takeImportFolder(
  folder: string,
  manifestSha256: string,
  neededBytes: number,
): ImportFolder {
  const topmost = makeFolder(folder);
  const lock = lockFolder(folder);
  try {
    return heldFolder(folder, lock, { manifest: manifestSha256, topmost }, neededBytes);
  } catch (cause) {
    giveFree(folder, lock, topmost);
    if (cause instanceof AppError) throw cause;
    throw fileFailure(`a snapshot cannot be imported to ${folder}`, cause);
  }
}

interface Origin {
  /** SHA-256 of the snapshot's manifest. */
  readonly manifest: string;
  /** Topmost folder created for the import; empty when none was. */
  readonly topmost: string;
}

function heldFolder(
  folder: string,
  lock: FolderLock,
  wanted: Origin,
  neededBytes: number,
): ImportFolder {
  const staging = join(folder, IMPORT_FOLDER);
  const chainDatabase = join(staging, "chain.db");
  const place = join(folder, "chain.db");
  const origin = originOf(staging);
  const isSame = origin?.manifest === wanted.manifest;
  // Killed between its last two steps: nothing else puts a chain next to the staging folder.
  const isWhole = isSame && existsSync(place) && !existsSync(chainDatabase);
  if (!isWhole) refuseChain(folder);
  const topmost = wanted.topmost === "" ? (origin?.topmost ?? "") : wanted.topmost;
  if (!isSame) begin(staging, { ...wanted, topmost }, neededBytes);
  const part = existsSync(chainDatabase) ? "a part" : "nothing";
  return {
    chainDatabase,
    found: isWhole ? "all" : part,
    finish() {
      if (!isWhole) renameSync(chainDatabase, place);
      syncPath(folder);
      rmSync(staging, { recursive: true });
      syncPath(folder);
      lock.release();
    },
    keep: () => lock.release(),
    discard() {
      rmSync(staging, { recursive: true, force: true });
      giveFree(folder, lock, topmost);
    },
  };
}

function begin(staging: string, { manifest, topmost }: Origin, neededBytes: number): void {
  rmSync(staging, { recursive: true, force: true });
  requireRoom(dirname(staging), neededBytes);
  mkdirSync(staging, { mode: 0o700 });
  writeFileSync(join(staging, ORIGIN), `${manifest}\n${topmost}`, { flush: true });
  syncPath(staging);
}

function originOf(staging: string): Origin | undefined {
  const path = join(staging, ORIGIN);
  if (!existsSync(path)) return undefined;
  const [manifest = "", topmost = ""] = readFileSync(path, "utf8").split("\n");
  return { manifest, topmost };
}

/**
 * Creates a folder with the permissions that a node uses. @returns the topmost folder created; empty when
 * none was
 */
function makeFolder(folder: string): string {
  try {
    return mkdirSync(folder, { recursive: true, mode: 0o750 }) ?? "";
  } catch (cause) {
    throw fileFailure(`the data directory ${folder} cannot be created`, cause);
  }
}

/** Releases a folder; removes empty folders that were created for the import. */
function giveFree(folder: string, lock: FolderLock, topmost: string): void {
  if (topmost !== "" && !existsSync(join(folder, IMPORT_FOLDER))) {
    for (const beside of DATABASE_SUFFIXES)
      rmSync(join(folder, `lock.db${beside}`), { force: true });
  }
  lock.release();
  if (topmost === "") return;
  try {
    for (let path = folder; path.length >= topmost.length; path = dirname(path)) rmdirSync(path);
  } catch {
    // Another process put a file into it: keep it.
  }
}

function refuseChain(folder: string): void {
  const own = OWN_FILES.flatMap((name) =>
    DATABASE_SUFFIXES.map((beside) => [name, name + beside] as const),
  );
  const present = new Set(readdirSync(folder));
  const found = own.flatMap(([name, file]) =>
    present.has(file) && !MAY_BE_THERE.has(name) ? [file] : [],
  );
  if (present.has(RESTORE_FOLDER)) found.push(RESTORE_FOLDER);
  if (found.length === 0) return;
  const message = `${folder} already contains a chain, or a part of one (${found.slice(0, 5).join(", ")}); choose another folder with --base-path`;
  throw new StorageError("STORAGE_EXISTS", message, { meta: { folder } });
}
