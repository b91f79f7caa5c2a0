import { existsSync, renameSync } from "node:fs";
import { join } from "node:path";
import { lockFolder, syncPath, vacuumInto } from "#io/storage/index.ts";
import type { NodeFiles } from "../../setup/node-files.ts";
import { deleteDatabase } from "./delete-database.ts";
import { guarded } from "./guarded.ts";
import {
  CHAIN_BEFORE_LOAD,
  DATABASE_SUFFIXES,
  MEMPOOL_BEFORE_LOAD,
  OWN_FILES,
  STAGED_BEFORE_LOAD,
} from "./own-files.ts";

const COPIES = [STAGED_BEFORE_LOAD, CHAIN_BEFORE_LOAD, MEMPOOL_BEFORE_LOAD] as const;

/** Files that belong to no chain, or also to the chain before the load. */
const KEPT: ReadonlySet<string> = new Set([
  ...["block-signing.key", "disk.probe", "lock.db", "compiled.db", "fork.db"],
  ...["chain.db", "mempool.db"],
  ...COPIES,
]);

/**
 * Keeps the chain of a running node and the transactions that it has received, so that a load which does not
 * complete can be undone, also after this process was killed.
 *
 * @throws {StorageError} when they cannot be copied; nothing is kept then
 */
export function keepBeforeLoad({
  folder,
  chainDatabase,
  mempoolDatabase,
}: Pick<NodeFiles, "folder" | "chainDatabase" | "mempoolDatabase">): void {
  const failed = `the chain in ${folder} cannot be kept for the case that the load fails`;
  guarded(failed, () => {
    forgetBeforeLoad(folder);
    const staged = join(folder, STAGED_BEFORE_LOAD);
    vacuumInto(mempoolDatabase, join(folder, MEMPOOL_BEFORE_LOAD));
    vacuumInto(chainDatabase, staged);
    syncPath(folder);
    // From now on, a start continues with the copies.
    renameSync(staged, join(folder, CHAIN_BEFORE_LOAD));
    syncPath(folder);
  });
}

/**
 * Deletes what {@link keepBeforeLoad} has kept: the load is complete.
 *
 * @throws {StorageError} STORAGE_FILE_FAILED when it cannot be deleted
 */
export function forgetBeforeLoad(folder: string): void {
  guarded(`the chain before the load in ${folder} cannot be deleted`, () => {
    for (const name of COPIES) deleteDatabase(folder, name);
    if (existsSync(folder)) syncPath(folder);
  });
}

/**
 * Undoes a load that did not complete. Each step can be repeated, so that a process that is killed in between leaves
 * the rest to the next one.
 *
 * @param folder - data directory, used by no node
 * @throws {StorageError} STORAGE_LOCKED when another process uses it, STORAGE_FILE_FAILED when a file cannot be
 *   deleted or renamed
 */
export function undoLoad(folder: string): void {
  if (!COPIES.some((name) => existsSync(join(folder, name)))) return;
  const lock = lockFolder(folder);
  try {
    guarded(`the load of a dump in ${folder} cannot be undone`, () => {
      if (existsSync(join(folder, CHAIN_BEFORE_LOAD))) replaceLoaded(folder);
      for (const name of COPIES) deleteDatabase(folder, name);
    });
  } finally {
    lock.release();
  }
}

function replaceLoaded(folder: string): void {
  for (const name of OWN_FILES.filter((own) => !KEPT.has(own))) deleteDatabase(folder, name);
  const replacements = [
    // The chain is the last one: it says that the load was not undone yet.
    [MEMPOOL_BEFORE_LOAD, "mempool.db"],
    [CHAIN_BEFORE_LOAD, "chain.db"],
  ] as const;
  for (const [copy, name] of replacements) {
    if (!existsSync(join(folder, copy))) continue;
    // A log would be applied to the database that follows.
    deleteDatabase(folder, name, DATABASE_SUFFIXES.slice(1));
    syncPath(folder);
    renameSync(join(folder, copy), join(folder, name));
    syncPath(folder);
  }
}
