import type { Migration } from "kysely/migration";
import { initial } from "./0001-initial.ts";
import { history } from "./0002-history.ts";
import { casmDigest } from "./0003-casm-digest.ts";
import { eventParts } from "./0004-event-parts.ts";
import { triePages } from "./0005-trie-pages.ts";

/** Migrations of the chain database, applied in the order of their names. */
export const CHAIN_MIGRATIONS: Readonly<Record<string, Migration>> = {
  "0001-initial": initial,
  "0002-history": history,
  "0003-casm-digest": casmDigest,
  "0004-event-parts": eventParts,
  "0005-trie-pages": triePages,
};
