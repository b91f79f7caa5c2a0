import type { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import type { Migration } from "kysely/migration";
import { COMPILED_MIGRATIONS } from "#io/storage/compiled/migrations.ts";
import { COMPILED_TABLES } from "#io/storage/compiled/newest.ts";
import { deriveRows } from "#io/storage/derive.ts";
import { type Derive, NOTHING_DERIVED } from "#io/storage/file.ts";
import { EXPLORER_MIGRATIONS } from "#io/storage/explorer/migrations.ts";
import { EXPLORER_TABLES } from "#io/storage/explorer/newest.ts";
import { FORK_MIGRATIONS } from "#io/storage/fork/migrations.ts";
import { FORK_TABLES } from "#io/storage/fork/newest.ts";
import { MEMPOOL_MIGRATIONS } from "#io/storage/mempool/migrations.ts";
import { MEMPOOL_TABLES } from "#io/storage/mempool/newest.ts";
import { CHAIN_MIGRATIONS } from "#io/storage/migrations/index.ts";
import { CHAIN_TABLES } from "#io/storage/newest-tables.ts";
import { openFile } from "#io/storage/open-file.ts";

/** Definitions and all rows of a database, except for the times of the migrations. */
function contentOf(connection: Database) {
  const definitions = connection
    .query<{ name: string; type: string; sql: string | null }, []>(
      "select type, name, tbl_name, sql from sqlite_master order by name",
    )
    .all();
  const rows = definitions
    .filter(({ type, name }) => type === "table" && name !== "kysely_migration")
    .map(({ name }) => [name, connection.query(`select * from "${name}"`).all()]);
  return {
    definitions,
    rows,
    migrations: connection.query("select name from kysely_migration order by name").all(),
    version: connection.query("pragma user_version").get(),
  };
}

async function newFile(
  migrations: Readonly<Record<string, Migration>>,
  newest: readonly string[] | null,
  derive: Derive,
) {
  const { connection } = await openFile({
    path: ":memory:",
    chainId: "SN_TEST",
    mode: "writer",
    durability: "normal",
    migrations,
    newest,
    derive,
  });
  const content = contentOf(connection);
  connection.close(true);
  return content;
}

test.each([
  ["the chain", CHAIN_MIGRATIONS, CHAIN_TABLES, deriveRows],
  ["the mempool", MEMPOOL_MIGRATIONS, MEMPOOL_TABLES, NOTHING_DERIVED],
  ["compiled classes", COMPILED_MIGRATIONS, COMPILED_TABLES, NOTHING_DERIVED],
  ["the explorer's index", EXPLORER_MIGRATIONS, EXPLORER_TABLES, NOTHING_DERIVED],
  ["the origin of a fork", FORK_MIGRATIONS, FORK_TABLES, NOTHING_DERIVED],
] as const)(
  "a new file of %s has what all its migrations leave in one",
  async (_, migrations, newest, derive) => {
    expect(await newFile(migrations, newest, derive)).toEqual(
      await newFile(migrations, null, derive),
    );
  },
);
