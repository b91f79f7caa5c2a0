import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Stores trie nodes in pages. `adoptTriePages` builds them from the rows of `trie_node` when the file is
 * opened, and drops that table.
 */
export const triePages: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create table trie_page (
    id integer primary key,
    nodes blob not null
  ) strict`.execute(db);
  },
};
