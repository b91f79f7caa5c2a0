import type { Database } from "bun:sqlite";
import { StorageError } from "#base/errors/index.ts";
import { fileFailure } from "./file-failure.ts";
import { openReadOnly } from "./read-only.ts";
import { EVENT_INDEX_FORM } from "./event-index/entries.ts";
import { unpackIds } from "./trie/ids.ts";
import { type PageCounts, pageCounts } from "./vacuum.ts";

/** Size of a table, including its indexes. */
export interface TableReport {
  readonly name: string;
  readonly sizeBytes: number;
  readonly rows: number;
}

/** Page counts of a chain database file, and its event index format. */
export interface FileReport extends PageCounts {
  /** Format version of the event index rows. */
  readonly eventIndexForm: number;
}

/**
 * Returns the counts that are cheap to read. @throws {StorageError} STORAGE_FILE_FAILED when the file cannot
 * be read
 */
export function fileReport(path: string): FileReport {
  return reading(path, (connection) => ({
    ...pageCounts(connection),
    eventIndexForm: EVENT_INDEX_FORM,
  }));
}

/**
 * Returns sizes and row counts of all tables, largest first; reads every page of the file.
 *
 * @throws {StorageError} STORAGE_FILE_FAILED when the file cannot be read
 */
export function tableReports(path: string): readonly TableReport[] {
  return reading(path, (connection) => {
    const sizes = connection
      .query<{ name: string; size: bigint }, []>(
        `select m.tbl_name as name, sum(d.pgsize) as size
         from dbstat d join sqlite_master m on m.name = d.name
         where d.aggregate = 1 group by m.tbl_name order by size desc, name`,
      )
      .all();
    return sizes.map(({ name, size }) => {
      const quoted = name.replaceAll('"', '""');
      const row = connection
        .query<{ n: bigint }, []>(`select count(*) as n from "${quoted}"`)
        .get();
      return { name, sizeBytes: Number(size), rows: Number(row?.n ?? 0n) };
    });
  });
}

/**
 * Counts trie nodes that the newest tries do not use: older blocks need them, or they await deletion.
 *
 * @throws {StorageError} STORAGE_FILE_FAILED when the file cannot be read
 */
export function replacedTrieNodes(path: string): number {
  return reading(path, (connection) => {
    let count = 0;
    const rows = connection.query<{ ids: Uint8Array }, []>("select ids from trie_removed");
    for (const { ids } of rows.iterate()) count += unpackIds(ids).length;
    return count;
  });
}

function reading<T>(path: string, work: (connection: Database) => T): T {
  try {
    using connection = openReadOnly(path);
    return work(connection);
  } catch (cause) {
    if (cause instanceof StorageError) throw cause;
    throw fileFailure(`${path} cannot be read`, cause);
  }
}
