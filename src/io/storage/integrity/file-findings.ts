import type { Database } from "bun:sqlite";
import { deriveRows } from "../derive.ts";
import { openFile } from "../open-file.ts";
import { CHAIN_MIGRATIONS } from "../migrations/index.ts";

/** Returns the first problem that SQLite finds in a file; `undefined` if none. */
export function sqliteFinding(connection: Database): string | undefined {
  try {
    const row = connection
      .query<{ integrity_check: string }, []>("pragma integrity_check(1)")
      .get();
    return row?.integrity_check === "ok" ? undefined : (row?.integrity_check ?? "no answer");
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Returns a table or index whose definition is missing or differs from the migrations' result. */
export async function schemaFinding(connection: Database): Promise<string | undefined> {
  const made = await openFile({
    path: ":memory:",
    chainId: "",
    mode: "writer",
    durability: "normal",
    migrations: CHAIN_MIGRATIONS,
    newest: null,
    derive: deriveRows,
  });
  try {
    const expected = definitionsOf(made.connection);
    const found = definitionsOf(connection);
    const names = new Set([...expected.keys(), ...found.keys()]);
    return [...names].sort().find((name) => expected.get(name) !== found.get(name));
  } finally {
    made.connection.close(true);
  }
}

/**
 * Returns a migration that only the file or only this program has, or the migration lock if it is damaged or
 * held.
 */
export function migrationFinding(connection: Database): string | undefined {
  const noted = connection
    .query<{ name: string }, []>("select name from kysely_migration order by name")
    .all()
    .map(({ name }) => name);
  const known = Object.keys(CHAIN_MIGRATIONS);
  const locks = connection
    .query<{ id: string; is_locked: bigint }, []>("select id, is_locked from kysely_migration_lock")
    .all();
  const isFree =
    locks.length === 1 && locks[0]?.id === "migration_lock" && locks[0].is_locked === 0n;
  if (!isFree) return "migration_lock";
  return [...new Set([...noted, ...known])].find(
    (name) => noted.includes(name) !== known.includes(name),
  );
}

function definitionsOf(connection: Database): ReadonlyMap<string, string | null> {
  const rows = connection
    .query<{ type: string; name: string; tbl_name: string; sql: string | null }, []>(
      "select type, name, tbl_name, sql from sqlite_master where name not like 'sqlite_%'",
    )
    .all();
  return new Map(
    rows.map(({ type, name, tbl_name, sql }) => [name, `${type} ${tbl_name} ${sql ?? ""}`]),
  );
}
