import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { EXPLORER_TABLES } from "./newest.ts";

/**
 * The only migration of the explorer's database. Its definitions may change: a file with older ones is built
 * again.
 */
export const EXPLORER_MIGRATIONS: Readonly<Record<string, Migration>> = {
  "0001-initial": {
    async up(db: Kysely<unknown>): Promise<void> {
      for (const definition of EXPLORER_TABLES) await sql.raw(definition).execute(db);
    },
  },
};
