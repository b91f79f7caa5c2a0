import type { Database, SQLQueryBindings } from "bun:sqlite";
import {
  type Dialect,
  type DialectAdapter,
  type SqliteDatabase,
  SqliteAdapter,
  SqliteDialect,
} from "kysely";

/**
 * Creates a Kysely dialect over an open bun:sqlite connection. Closing the Kysely instance closes it.
 *
 * All queries share one connection. A query on the instance inside one of the instance's transactions would
 * deadlock, so transactions must use the executor passed to them.
 */
export function bunSqliteDialect(connection: Database): Dialect {
  return new BunSqliteDialect({ database: adaptConnection(connection) });
}

class BunSqliteDialect extends SqliteDialect {
  override createAdapter(): DialectAdapter {
    return new TransactionalDdlAdapter();
  }
}

/**
 * SQLite supports transactional DDL, but the stock adapter denies it; failed migrations would be left half
 * done.
 */
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
          // A full disk ends the transaction; another rollback would hide the cause.
          if (sql === "rollback" && !connection.inTransaction) return NOTHING_CHANGED;
          return statement.run(...bindings(parameters));
        },
        iterate: (parameters) => statement.iterate(...bindings(parameters)),
      };
    },
  };
}
