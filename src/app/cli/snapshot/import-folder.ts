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
import { BESIDE, IMPORT_FOLDER, OWN_FILES, RESTORE_FOLDER } from "#app/node/index.ts";

/** File that says what the import was begun for. */
const ORIGIN = "origin";

/** What is there of a node that a snapshot can be put beside. */
const MAY_BE_THERE: ReadonlySet<string> = new Set(["block-signing.key", "lock.db"]);

/** A data directory that becomes one by an import, locked until it is given free. */
export interface ImportFolder {
  /** Where the database is made. */
  readonly chainDatabase: string;
  /** How far an earlier import of the snapshot has come. */
  readonly found: "nothing" | "a part" | "all";
  /** The database is whole: it is put in its place, and the directory given free. */
  finish(): void;
  /** Gives the directory free; what is there so far is kept aside. */
  keep(): void;
  /** Gives the directory free as it was found. */
  discard(): void;
}

/**
 * Takes a directory without a chain, or one that an import of the same snapshot was begun in.
 *
 * @param manifestSha256 - recognizes the snapshot; what an import of another one has left is deleted
 * @param neededBytes - that the database takes at least
 * @throws {StorageError} STORAGE_EXISTS when there is a chain, STORAGE_LOCKED when another process uses it,
 *   STORAGE_NO_SPACE when the disk is too small, STORAGE_FILE_FAILED when it cannot be written
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

/** What an import was begun for. */
interface Origin {
  /** SHA-256 of the snapshot's manifest. */
  readonly manifest: string;
  /** The first folder that was made for it, of which all others are; empty: none was. */
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
  // It was killed between its last two steps: nothing else puts a chain beside what is kept aside.
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

/** With the rights of a folder that a node makes. @returns the first that was made; empty: none was */
function makeFolder(folder: string): string {
  try {
    return mkdirSync(folder, { recursive: true, mode: 0o750 }) ?? "";
  } catch (cause) {
    throw fileFailure(`the data directory ${folder} cannot be made`, cause);
  }
}

/** Gives a folder free; what was made for the import goes, as far as nothing is in it. */
function giveFree(folder: string, lock: FolderLock, topmost: string): void {
  if (topmost !== "" && !existsSync(join(folder, IMPORT_FOLDER))) {
    for (const beside of BESIDE) rmSync(join(folder, `lock.db${beside}`), { force: true });
  }
  lock.release();
  if (topmost === "") return;
  try {
    for (let path = folder; path.length >= topmost.length; path = dirname(path)) rmdirSync(path);
  } catch {
    // Somebody put something into it: it stays.
  }
}

function refuseChain(folder: string): void {
  const own = OWN_FILES.flatMap((name) => BESIDE.map((beside) => [name, name + beside] as const));
  const present = new Set(readdirSync(folder));
  const found = own.flatMap(([name, file]) =>
    present.has(file) && !MAY_BE_THERE.has(name) ? [file] : [],
  );
  if (present.has(RESTORE_FOLDER)) found.push(RESTORE_FOLDER);
  if (found.length === 0) return;
  const message = `${folder} has a chain, or a part of one, already (${found.slice(0, 5).join(", ")}); choose another folder with --base-path`;
  throw new StorageError("STORAGE_EXISTS", message, { meta: { folder } });
}
