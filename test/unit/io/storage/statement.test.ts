import { Database } from "bun:sqlite";
import { expect, spyOn, test } from "bun:test";
import { Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { bunSqliteDialect } from "#io/storage/dialect.ts";
import { type MetaSchema, NOTHING_DERIVED, prepareFile } from "#io/storage/file.ts";
import { StatementFactory } from "#io/storage/statement.ts";

interface Schema {
  pair: { left: bigint; right: bigint };
}

test("statement parameters reach their places in any order, next to constants", () => {
  const connection = new Database(":memory:", { strict: true, safeIntegers: true });
  connection.run("create table pair (left integer, right integer) strict");
  connection.run("insert into pair values (1, 10), (2, 20), (9007199254740993, 30)");
  const kysely = new Kysely<Schema>({ dialect: bunSqliteDialect(connection) });
  const statement = new StatementFactory(connection, () => kysely).of<
    [right: number, left: number]
  >()((db, [right, left]) =>
    db.selectFrom("pair").selectAll().where("left", ">", left).where("right", "<", right).limit(1),
  );
  expect(statement.all(31, 2)).toEqual([{ left: 9007199254740993n, right: 30n }]);
  expect(statement.all(15, 0)).toEqual([{ left: 1n, right: 10n }]);
  expect(statement.get(5, 0)).toBeUndefined();
});

test("a statement is compiled when it first runs, or in advance", () => {
  const connection = new Database(":memory:", { strict: true, safeIntegers: true });
  connection.run("create table pair (left integer, right integer) strict");
  const kysely = new Kysely<Schema>({ dialect: bunSqliteDialect(connection) });
  using prepare = spyOn(connection, "prepare");
  const factory = new StatementFactory(connection, () => kysely);
  const all = factory.of<[]>()((db) => db.selectFrom("pair").selectAll());
  factory.of<[]>()((db) => db.selectFrom("pair").select("left"));
  expect(prepare).not.toHaveBeenCalled();
  expect(all.all()).toEqual([]);
  expect(all.get()).toBeUndefined();
  expect(prepare).toHaveBeenCalledTimes(1);
  expect(factory.prepareNext()).toBe(true);
  expect(prepare).toHaveBeenCalledTimes(1);
  expect(factory.prepareNext()).toBe(false);
  expect(prepare).toHaveBeenCalledTimes(2);
});

test("a failed migration leaves nothing behind", async () => {
  const connection = new Database(":memory:", { strict: true, safeIntegers: true });
  const kysely = new Kysely<MetaSchema>({ dialect: bunSqliteDialect(connection) });
  const good: Migration = {
    up: async (db: Kysely<unknown>) => void (await sql`create table meta (x)`.execute(db)),
  };
  const bad: Migration = {
    async up(db: Kysely<unknown>) {
      await sql`create table half (x)`.execute(db);
      await sql`create nonsense`.execute(db);
    },
  };
  const migrations = { "0001-good": good, "0002-bad": bad };
  const failure = await prepareFile(connection, () => kysely, {
    path: "memory",
    chainId: "T",
    mode: "writer",
    migrations,
    newest: null,
    derive: NOTHING_DERIVED,
  }).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: "STORAGE_MIGRATION_FAILED" });
  const tables = connection.query("select name from sqlite_master where name in ('meta', 'half')");
  expect(tables.all()).toEqual([]);
});
