import type { Kysely } from "kysely";
import { deriveEventIndex } from "./event-index/derive.ts";
import { adoptTriePages } from "./trie/adopt.ts";

/**
 * Brings rows of a chain database that was just migrated, and that are made of other rows, to the form
 * that is kept now.
 *
 * @param migrated - names of the migrations
 * @throws {DecodeError} when a row is damaged
 * @throws {StorageError} STORAGE_TRIE_NODE_DAMAGED when a row of a trie is
 */
export async function deriveRows(db: Kysely<unknown>, migrated: readonly string[]): Promise<void> {
  await deriveEventIndex(db, migrated);
  if (migrated.includes("0005-trie-pages")) await adoptTriePages(db);
}
