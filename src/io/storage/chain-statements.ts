import { type RawBuilder, sql } from "kysely";

/** SQL fragment for `limit 1` as literal text, without a bound constant. */
export const ONE = sql<number>`1`;

/**
 * Wraps a parameter of a query with `order by`. SQLite checks whether a bare parameter makes the order
 * redundant, and then re-prepares the statement whenever another value is bound. That costs six times the
 * read itself. A unary plus disables the check.
 */
export function fixed(slot: never): RawBuilder<never> {
  return sql<never>`+${slot}`;
}
