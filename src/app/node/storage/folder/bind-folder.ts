import { existsSync, rmSync } from "node:fs";
import { StorageError } from "#base/errors/index.ts";
import type { Logger } from "#base/telemetry/index.ts";
import { bindDatabase, bindExecutionJournal, type FileChain } from "#io/storage/index.ts";
import type { NodeFiles } from "../../setup/node-files.ts";
import { RESTORE_MEMPOOL } from "../../setup/damaged-chain.ts";
import { DATABASE_SUFFIXES } from "./own-files.ts";

/** Files of a data directory that belong to its chain, except the chain database. */
export type ChainFiles = Pick<
  NodeFiles,
  | "executionJournal"
  | "commitJournal"
  | "validationJournal"
  | "validatorJournals"
  | "mempoolDatabase"
  | "compiledDatabase"
>;

/**
 * Binds journals to a chain. No thread may have one open: a half-written entry could be read.
 *
 * @param isProducer - whether the node is about to write a block producer's journals: these are created
 * @throws {StorageError} STORAGE_OTHER_CHAIN or STORAGE_DAMAGED with the path of a journal that belongs to
 *   another chain, or is damaged
 */
export function bindJournals(
  { executionJournal, commitJournal, validationJournal, validatorJournals }: ChainFiles,
  { genesisHash }: Pick<FileChain, "genesisHash">,
  isProducer: boolean,
): void {
  const produced = [executionJournal, commitJournal, validationJournal];
  const isBound = (path: string): boolean =>
    existsSync(path) || (isProducer && produced.includes(path));
  for (const path of [...produced, ...validatorJournals].filter(isBound)) {
    bindExecutionJournal(path, genesisHash);
  }
}

/**
 * Binds the databases next to a chain database to its chain; threads may have them open. A database of
 * compiled classes that is damaged or belongs to another chain is deleted: the classes are compiled again.
 *
 * @throws {StorageError} STORAGE_OTHER_CHAIN or STORAGE_DAMAGED with the path of a mempool that belongs to
 *   another chain, or is damaged
 */
export function bindDatabases(
  files: ChainFiles,
  chain: FileChain,
  log: Pick<Logger, "warn">,
): void {
  bindMempool(files.mempoolDatabase, chain);
  bindCompiled(files.compiledDatabase, chain, log);
}

function bindMempool(path: string, chain: FileChain): void {
  try {
    bindDatabase(path, chain);
  } catch (error) {
    if (!isDamaged(error)) throw error;
    const message = `${error.message} ${RESTORE_MEMPOOL}`;
    throw new StorageError("STORAGE_DAMAGED", message, { cause: error });
  }
}

function bindCompiled(path: string, chain: FileChain, log: Pick<Logger, "warn">): void {
  try {
    bindDatabase(path, chain);
  } catch (error) {
    const isOther = error instanceof StorageError && error.code === "STORAGE_OTHER_CHAIN";
    if (!isOther && !isDamaged(error)) throw error;
    for (const suffix of DATABASE_SUFFIXES) rmSync(path + suffix, { force: true });
    // The error's own text explains how to keep the file, which is deleted by now.
    const reason = isOther ? `${path} belongs to another chain` : error.message;
    log.warn("classes are compiled again", { reason });
  }
}

/** Whether the error means damage, which includes a changed definition of a table. */
function isDamaged(error: unknown): error is StorageError {
  if (!(error instanceof StorageError)) return false;
  return error.code === "STORAGE_DAMAGED" || error.meta["reason"] === "SQLITE_ERROR";
}
