import { existsSync, renameSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { lockFolder, syncPath } from "#io/storage/index.ts";
import type { ForkOptions } from "../../setup/fork.ts";
import type { NodeHost } from "../../setup/node-host.ts";
import type { NodeOptions } from "../../setup/node-options.ts";
import { nodeFiles } from "../../setup/node-files.ts";
import { setupOf } from "../../setup/node-setup.ts";
import { ORDINARY_START } from "./folder-request.ts";
import { openOrigin } from "./open-origin.ts";
import { deleteDatabase } from "./delete-database.ts";
import { guarded } from "./guarded.ts";
import { DATABASE_SUFFIXES, MOVED_CHAIN, OWN_FILES, STAGED_MOVE } from "./own-files.ts";
import { prepareFork } from "./prepare-fork.ts";

/** Files that a moved chain keeps. The others belong to the chain before the move. */
const KEPT: ReadonlySet<string> = new Set([
  "block-signing.key",
  "disk.probe",
  "lock.db",
  "chain.db",
  MOVED_CHAIN,
]);

/** Options of a node whose chain is a fork. */
export interface ForkNodeOptions extends NodeOptions {
  readonly fork: ForkOptions;
}

/**
 * Creates the chain of a fork at another block, next to the chain of a running node, which it does not change.
 *
 * @param options - options that the node was started with
 * @param block - block to continue; `null` for the newest one of the origin
 * @throws {OriginError} when the URLs do not respond, disagree, or cannot be forked at the block
 * @throws {ConfigError} when this program cannot execute the block's protocol version
 * @throws {StorageError} when the chain cannot be written
 */
export async function stageForkMove(
  options: ForkNodeOptions,
  block: ForkOptions["block"],
  host: Pick<NodeHost, "log">,
): Promise<void> {
  const staged = join(options.basePath, STAGED_MOVE);
  deleteStaged(options.basePath);
  const { signingKey } = nodeFiles(options.basePath, options.privateKeyFile);
  const opened = await openOrigin(
    {
      ...movedOptions(options),
      fork: { ...options.fork, block, transaction: null },
      basePath: staged,
      privateKeyFile: signingKey.path,
    },
    host,
  );
  const setup = setupOf(opened.options, opened.origin?.pin ?? null);
  if (setup.fork === null || opened.origin === null) return;
  const { devAccounts } = opened.options;
  const prepared = await prepareFork(
    { ...setup, fork: setup.fork },
    devAccounts,
    ORDINARY_START,
    opened.origin,
  );
  prepared.folder.keep();
  prepared.folder.release();
}

/**
 * Decides for the staged chain, in one step: from now on the folder has that chain, and
 * {@link finishForkMove} completes the move.
 *
 * @throws {StorageError} STORAGE_FILE_FAILED; the chain is then unchanged
 */
export function decideForkMove(folder: string): void {
  const staged = join(folder, STAGED_MOVE, "chain.db");
  guarded(`the fork in ${folder} cannot be moved`, () => {
    syncPath(staged);
    syncPath(folder);
    renameSync(staged, join(folder, MOVED_CHAIN));
  });
}

/** Returns the options of the node after a move: the folder decides the fork block. */
export function movedOptions(options: ForkNodeOptions): ForkNodeOptions {
  const fork = { ...options.fork, block: null, transaction: null };
  return { ...options, fork, reset: false, newChain: false };
}

/** Returns the options of a node that continues with the chain that its folder has. */
export function continuedOptions(options: NodeOptions): NodeOptions {
  const { fork } = options;
  return fork === null
    ? { ...options, reset: false, newChain: false }
    : movedOptions({ ...options, fork });
}

/**
 * Completes a move that was decided, and deletes what one that was not decided left behind. Each step can be
 * repeated, so that a process that is killed in between leaves the move to the next one.
 *
 * @param folder - data directory, used by no node
 * @throws {StorageError} STORAGE_LOCKED when another process uses it, STORAGE_FILE_FAILED when a file cannot be
 *   deleted or renamed
 */
export function finishForkMove(folder: string): void {
  const moved = join(folder, MOVED_CHAIN);
  if (!existsSync(moved) && !existsSync(join(folder, STAGED_MOVE))) return;
  const lock = lockFolder(folder);
  try {
    guarded(`the move of the fork in ${folder} cannot be completed`, () => {
      deleteStaged(folder);
      if (existsSync(moved)) replaceChain(folder, moved);
    });
  } finally {
    lock.release();
  }
}

/** Replaces the chain of a folder, and deletes the files that belong to it. */
function replaceChain(folder: string, moved: string): void {
  // The decision is on disk before anything is deleted.
  syncPath(folder);
  for (const name of OWN_FILES.filter((own) => !KEPT.has(own))) deleteDatabase(folder, name);
  // A log would be applied to the chain that follows.
  deleteDatabase(folder, "chain.db", DATABASE_SUFFIXES.slice(1));
  syncPath(folder);
  renameSync(moved, join(folder, "chain.db"));
  syncPath(folder);
}

/** Deletes the folder of a move that was not decided, without files that no node creates. */
export function deleteStaged(folder: string): void {
  const staged = join(folder, STAGED_MOVE);
  if (!existsSync(staged)) return;
  for (const name of OWN_FILES) deleteDatabase(staged, name);
  try {
    rmdirSync(staged);
  } catch {
    // It has files of others: they stay.
  }
}
