import type { Database, SQLQueryBindings } from "bun:sqlite";
import {
  type Dialect,
  type DialectAdapter,
  type SqliteDatabase,
  SqliteAdapter,
  SqliteDialect,
} from "kysely";

/**
 * A Kysely dialect over an open bun:sqlite connection. Closing the Kysely instance closes it.
 *
 * One connection serves everything: a query on the instance inside of one of its own transactions
 * waits for itself forever, so transactions use the executor they are given.
 */
export function bunSqliteDialect(connection: Database): Dialect {
  return new BunSqliteDialect({ database: adaptConnection(connection) });
}

class BunSqliteDialect extends SqliteDialect {
  override createAdapter(): DialectAdapter {
    return new TransactionalDdlAdapter();
  }
}

/** SQLite rolls back schema changes; the stock adapter denies it, and half migrations would stay. */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

const NOTHING_CHANGED = { changes: 0, lastInsertRowid: 0 };

function adaptConnection(connection: Database): SqliteDatabase {
  return {
    close: () => connection.close(true),
    prepare(sql) {
      const statement = connection.query<unknown, SQLQueryBindings[]>(sql);
      const bindings = (parameters: readonly unknown[]) => parameters as SQLQueryBindings[];
      return {
        reader: statement.columnNames.length > 0,
        all: (parameters) => statement.all(...bindings(parameters)),
        run(parameters) {
          // A full disk ends a transaction: rolling it back once more would hide why.
          if (sql === "rollback" && !connection.inTransaction) return NOTHING_CHANGED;
          return statement.run(...bindings(parameters));
        },
        iterate: (parameters) => statement.iterate(...bindings(parameters)),
      };
    },
  };
}
