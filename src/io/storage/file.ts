import type { Database } from "bun:sqlite";
import type { Kysely } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import { StorageError } from "#base/errors/index.ts";
import { damagedDatabase, isDamage } from "./damage.ts";
import { noRoomSentence } from "./file-failure.ts";
import type { MetaTable } from "./schema/meta.ts";

/** Table that every database file of this program has. */
export interface MetaSchema {
  meta: MetaTable;
}

/** Settings of {@link prepareFile}. */
export interface FileOptions {
  readonly path: string;
  readonly chainId: string;
  readonly mode: "writer" | "reader";
  /** By name, in ascending order; their number is the schema version of the file. */
  readonly migrations: Readonly<Record<string, Migration>>;
  /**
   * Definitions that an empty file gets in place of the migrations; `null` migrates it, too. They are those that
   * the migrations leave in a new file.
   */
  readonly newest: readonly string[] | null;
  /** Called after the migrations, in their transaction. */
  readonly derive: Derive;
}

/**
 * Updates derived rows to their current form. A migration cannot do this: it never changes after its release,
 * and knows only the form of its time.
 *
 * @param migrated - names of the migrations that were just applied
 */
export type Derive = (db: Kysely<unknown>, migrated: readonly string[]) => Promise<void>;

/** {@link Derive} of files without derived rows: does nothing. */
export const NOTHING_DERIVED: Derive = () => Promise.resolve();

/**
 * Checks the schema version (`PRAGMA user_version`) and the chain id of a file. A writer migrates an older
 * file, and creates the tables of an empty one and records the chain id. A rejected file is left unchanged.
 *
 * @throws {StorageError} as `openDatabase`
 */
export async function prepareFile(
  connection: Database,
  kysely: () => Kysely<MetaSchema>,
  options: FileOptions,
): Promise<void> {
  const version = Object.keys(options.migrations).length;
  const found = userVersion(connection, options.path);
  if (found > version) {
    throw new StorageError(
      "STORAGE_NEWER_SCHEMA",
      `The database ${options.path} has schema version ${found}, but this program knows versions up to ${version}. Use a newer program.`,
      { meta: { path: options.path, found, known: version } },
    );
  }
  if (found > 0) checkChainId(connection, options);
  if (found === version) return;
  if (options.mode === "reader") {
    throw new StorageError(
      "STORAGE_OLDER_SCHEMA",
      `The database ${options.path} has schema version ${found}, but version ${version} is needed. Start the node once to bring it up to date.`,
      { meta: { path: options.path, found, known: version } },
    );
  }
  if (options.newest !== null && isEmpty(connection)) {
    createNewest(connection, options, options.newest);
    return;
  }
  await migrate(kysely(), options);
  if (found === 0) {
    const value = new TextEncoder().encode(options.chainId);
    connection.run("insert or ignore into meta (key, value) values ('chain_id', ?)", [value]);
    checkChainId(connection, options);
  }
  // Written last, so that an interrupted migration is detected and completed at the next start.
  connection.run(`pragma user_version = ${version}`);
}

function userVersion(connection: Database, path: string): number {
  try {
    const row = connection.query<{ user_version: bigint }, []>("pragma user_version").get();
    return Number(row?.user_version ?? 0n);
  } catch (cause) {
    if (isDamage(cause)) throw damagedDatabase(path, cause);
    const what = `The file ${path} cannot be read.${noRoomSentence(cause)}`;
    throw new StorageError("STORAGE_CANNOT_OPEN", what, { meta: { path }, cause });
  }
}

/** Each thread of a node runs this check when it starts: plain SQL needs no query builder. */
function checkChainId(connection: Database, options: FileOptions): void {
  const row = connection
    .query<{ value: Uint8Array }, []>("select value from meta where key = 'chain_id'")
    .get();
  const found = row === null ? "" : new TextDecoder().decode(row.value);
  if (found === options.chainId) return;
  throw new StorageError(
    "STORAGE_OTHER_CHAIN",
    `The database ${options.path} was created for chain id \`${found}\`, but the node is configured for chain id \`${options.chainId}\`.`,
    { meta: { path: options.path, found, configured: options.chainId } },
  );
}

function isEmpty(connection: Database): boolean {
  return connection.query("select 1 from sqlite_master limit 1").get() === null;
}

/** Tables in which Kysely records the migrations of a file. */
const MIGRATION_TABLES: readonly string[] = [
  'create table "kysely_migration" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null)',
  'create table "kysely_migration_lock" ("id" varchar(255) not null primary key, "is_locked" integer default 0 not null)',
];

/**
 * Creates the newest tables in an empty file, with the records of all migrations. The migrations would create
 * each version in turn, and take several times as long.
 */
function createNewest(connection: Database, options: FileOptions, newest: readonly string[]): void {
  const names = Object.keys(options.migrations);
  try {
    connection
      .transaction(() => {
        for (const definition of [...MIGRATION_TABLES, ...newest]) connection.run(definition);
        for (const name of names) {
          connection.run("insert into kysely_migration values (?, ?)", [
            name,
            new Date().toISOString(),
          ]);
        }
        connection.run("insert into kysely_migration_lock values ('migration_lock', 0)");
        const value = new TextEncoder().encode(options.chainId);
        connection.run("insert into meta (key, value) values ('chain_id', ?)", [value]);
        connection.run(`pragma user_version = ${names.length}`);
      })
      .immediate();
  } catch (cause) {
    throw migrationFailure(options.path, cause);
  }
}

async function migrate(kysely: Kysely<MetaSchema>, options: FileOptions): Promise<void> {
  try {
    await kysely.transaction().execute(async (db) => {
      const migrator = new Migrator({
        db,
        provider: { getMigrations: async () => ({ ...options.migrations }) },
      });
      const { error, results = [] } = await migrator.migrateToLatest();
      if (error !== undefined) throw error;
      const migrated = results.map(({ migrationName }) => migrationName);
      await options.derive(db as unknown as Kysely<unknown>, migrated);
    });
  } catch (cause) {
    throw migrationFailure(options.path, cause);
  }
}

function migrationFailure(path: string, cause: unknown): StorageError {
  if (isDamage(cause)) return damagedDatabase(path, cause);
  return new StorageError(
    "STORAGE_MIGRATION_FAILED",
    `The database ${path} could not be brought to the current schema.${noRoomSentence(cause)}`,
    { meta: { path }, cause },
  );
}
