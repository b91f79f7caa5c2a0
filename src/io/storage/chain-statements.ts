import { type RawBuilder, sql } from "kysely";
import type { DatabaseHandle } from "./database.ts";
import { StatementFactory } from "./statement.ts";
import type { ChainSchema } from "./schema/index.ts";

/** A factory of statements on a chain database. */
export function chainStatements(handle: DatabaseHandle): StatementFactory<ChainSchema> {
  return new StatementFactory<ChainSchema>(handle.connection, handle.kysely);
}

/** `limit 1` without a bound constant. */
export const ONE = sql<number>`1`;

/**
 * A parameter for a query with `order by`. SQLite looks whether a bare parameter makes the order
 * superfluous, and then has to prepare the statement again whenever another value is bound: that
 * costs six times the read itself. It does not look behind a sign.
 */
export function fixed(slot: never): RawBuilder<never> {
  return sql<never>`+${slot}`;
}
