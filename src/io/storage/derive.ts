import type { Kysely } from "kysely";
import { deriveEventIndex } from "./event-index/derive.ts";
import { adoptTriePages } from "./trie/adopt.ts";

/**
 * Updates derived rows of a freshly migrated chain database to their current form.
 *
 * @param migrated - names of the migrations
 * @throws {DecodeError} when a row is damaged
 * @throws {StorageError} STORAGE_TRIE_NODE_DAMAGED when a trie row is damaged
 */
export async function deriveRows(db: Kysely<unknown>, migrated: readonly string[]): Promise<void> {
  await deriveEventIndex(db, migrated);
  if (migrated.includes("0005-trie-pages")) await adoptTriePages(db);
}
