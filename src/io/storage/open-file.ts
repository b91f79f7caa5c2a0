import type { Database } from "bun:sqlite";
import { Kysely } from "kysely";
import { connect, type ConnectOptions } from "./connect.ts";
import { bunSqliteDialect } from "./dialect.ts";
import { type FileOptions, type MetaSchema, prepareFile } from "./file.ts";

/** Open and migrated database file. */
export interface OpenFile<Schema> {
  readonly connection: Database;
  /** Typed queries over {@link connection}, created at the first call. */
  readonly kysely: () => Kysely<Schema>;
}

/**
 * Opens a database file, creating it if allowed, and migrates it. Closes it again on failure.
 *
 * @throws {StorageError} as `openDatabase`
 */
export async function openFile<Schema extends MetaSchema>(
  options: ConnectOptions & FileOptions,
): Promise<OpenFile<Schema>> {
  const connection = connect(options);
  let created: Kysely<Schema> | undefined;
  const kysely = (): Kysely<Schema> =>
    (created ??= new Kysely<Schema>({ dialect: bunSqliteDialect(connection) }));
  try {
    await prepareFile(connection, kysely as unknown as () => Kysely<MetaSchema>, options);
  } catch (error) {
    connection.close(true);
    throw error;
  }
  return { connection, kysely };
}
