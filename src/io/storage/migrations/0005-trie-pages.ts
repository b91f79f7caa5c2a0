import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Nodes of tries are stored in pages. They are made of the rows of `trie_node` by what opens the file,
 * `adoptTriePages`, which drops that table.
 */
export const triePages: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create table trie_page (
    id integer primary key,
    nodes blob not null
  ) strict`.execute(db);
  },
};
