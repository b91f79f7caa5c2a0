import { Database } from "bun:sqlite";
import { DecodeError, StorageError } from "#base/errors/index.ts";
import { damagedDatabase, isDamage } from "#io/storage/index.ts";
import type { NodeFiles } from "./node-files.ts";

/** Advice for a damaged chain database. */
const RESTORE_CHAIN =
  "To restore it, move the files of the data directory away, all but the signing key, and give `appchain db restore FILE` with a backup; a full node syncs the chain again into an empty folder, or from `appchain snapshot import`. `appchain db check` finds damage that a start does not detect";

/** Text that advises the operator what to do about a damaged mempool file. */
export const RESTORE_MEMPOOL =
  "It holds received transactions that wait for a block: put back a copy, or move it away to start without them.";

/**
 * Converts an error from a chain database for the operator. If the file is damaged, the result says so, what
 * is damaged, and how to restore it.
 *
 * @param path - the chain database
 */
export function chainFailure(path: string, error: unknown): unknown {
  if (error instanceof StorageError && error.code === "STORAGE_DAMAGED") {
    return damaged(`${error.message} ${RESTORE_CHAIN}`, error);
  }
  if (!(error instanceof DecodeError) && !isDamage(error)) return error;
  const finding = databaseFinding(path);
  const message =
    finding === undefined
      ? damagedDatabase(path, error).message
      : `The database ${path} is damaged: ${finding}.`;
  return damaged(`${message} ${RESTORE_CHAIN}`, error);
}

/**
 * Converts an error that ended a thread. SQLite does not say which file is damaged, so this reads all pages
 * of the databases.
 */
export function threadFailure(
  { folder, chainDatabase, mempoolDatabase }: NodeFiles,
  error: unknown,
): unknown {
  if (error instanceof StorageError && error.code === "STORAGE_DAMAGED") return error;
  const reason = isDamage(error) ? "SQLite cannot read it" : sqlFault(error);
  if (reason === undefined) return error;
  const advices = [
    [chainDatabase, RESTORE_CHAIN],
    [mempoolDatabase, RESTORE_MEMPOOL],
  ] as const;
  for (const [path, advice] of advices) {
    const finding = databaseFinding(path);
    if (finding === undefined) continue;
    return damaged(`The database ${path} is damaged: ${finding}. ${advice}`, error);
  }
  return damaged(
    `A database in ${folder} is damaged: ${reason}. It is chain.db where \`appchain db check\` finds a difference, else mempool.db, which may be moved away.`,
    error,
  );
}

/**
 * Returns SQLite's message for a statement that does not match the tables: their definitions have changed.
 */
function sqlFault(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ("code" in cause && cause.code === "SQLITE_ERROR") return cause.message;
  }
  return undefined;
}

/** Returns SQLite's first finding about a database, with the table; `undefined` if it finds nothing. */
function databaseFinding(path: string): string | undefined {
  try {
    using connection = new Database(path, { readonly: true });
    const row = connection.query<{ quick_check: string }, []>("pragma quick_check(1)").get();
    const finding = row?.quick_check.split("\n").at(-1) ?? "no answer";
    if (finding === "ok") return undefined;
    const [, root] = /^Tree (\d+) /.exec(finding) ?? [];
    const table = connection
      .query<{ tbl_name: string }, [number]>(
        "select tbl_name from sqlite_master where rootpage = ?",
      )
      .get(Number(root ?? 0));
    return table === null ? finding : `table ${table.tbl_name}, ${finding}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function damaged(message: string, cause: unknown): StorageError {
  return new StorageError("STORAGE_DAMAGED", message, { cause });
}
