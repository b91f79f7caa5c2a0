import type { Database } from "bun:sqlite";
import { unpackPage } from "#io/storage/trie/page.ts";

/** Number of trie nodes that a chain database holds. */
export function countTrieNodes(connection: Database): number {
  let count = 0;
  const pages = connection.query<{ id: bigint | number; nodes: Uint8Array }, []>(
    "select id, nodes from trie_page",
  );
  for (const { id, nodes } of pages.all()) {
    count += unpackPage(nodes, Number(id)).filter((node) => node !== undefined).length;
  }
  return count;
}
