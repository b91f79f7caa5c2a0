import type { Database } from "bun:sqlite";
import { StorageError } from "#base/errors/index.ts";
import { NOTHING_DERIVED } from "../file.ts";
import { openFile } from "../open-file.ts";
import { StatementFactory } from "../statement.ts";
import { EXPLORER_MIGRATIONS } from "./migrations.ts";
import { EXPLORER_TABLES } from "./newest.ts";
import type { ExplorerSchema } from "./schema.ts";

/** Open database of the explorer's index. */
export interface OpenExplorerFile {
  readonly connection: Database;
  readonly statements: StatementFactory<ExplorerSchema>;
}

/**
 * Opens the database of the explorer's index; as a writer, creates it.
 *
 * @throws {StorageError} as `openDatabase`, and STORAGE_OLDER_SCHEMA when its tables have other definitions
 */
export async function openExplorerFile(
  path: string,
  chainId: string,
  mode: "writer" | "reader",
): Promise<OpenExplorerFile> {
  const { connection, kysely } = await openFile<ExplorerSchema>({
    path,
    chainId,
    mode,
    durability: "normal",
    migrations: EXPLORER_MIGRATIONS,
    newest: EXPLORER_TABLES,
    derive: NOTHING_DERIVED,
  });
  try {
    requireTables(connection, path);
  } catch (error) {
    connection.close(true);
    throw error;
  }
  return { connection, statements: new StatementFactory<ExplorerSchema>(connection, kysely) };
}

function requireTables(connection: Database, path: string): void {
  const rows = connection
    .query<{ sql: string }, []>(
      "select sql from sqlite_master where type = 'table' and name not like 'kysely%'",
    )
    .all();
  const found = new Set(rows.map(({ sql }) => sql));
  if (found.size === EXPLORER_TABLES.length && EXPLORER_TABLES.every((sql) => found.has(sql))) {
    return;
  }
  const message = `The tables of ${path} have other definitions than this program needs.`;
  throw new StorageError("STORAGE_OLDER_SCHEMA", message, { meta: { path } });
}
