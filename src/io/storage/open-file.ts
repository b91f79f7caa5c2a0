import type { Database } from "bun:sqlite";
import { Kysely } from "kysely";
import { connect, type ConnectOptions } from "./connect.ts";
import { bunSqliteDialect } from "./dialect.ts";
import { type FileOptions, type MetaSchema, prepareFile } from "./file.ts";

/** A file that is open and up to date. */
export interface OpenFile<Schema> {
  readonly connection: Database;
  readonly kysely: Kysely<Schema>;
}

/**
 * Opens a database file, makes it where it may, and brings it up to date; it is closed again when that
 * fails.
 *
 * @throws {StorageError} as `openDatabase`
 */
export async function openFile<Schema extends MetaSchema>(
  options: ConnectOptions & FileOptions,
): Promise<OpenFile<Schema>> {
  const connection = connect(options);
  const kysely = new Kysely<Schema>({ dialect: bunSqliteDialect(connection) });
  try {
    await prepareFile(connection, kysely as unknown as Kysely<MetaSchema>, options);
  } catch (error) {
    connection.close(true);
    throw error;
  }
  return { connection, kysely };
}
