import type { ChainSchema } from "./schema/index.ts";
import type { StatementFactory } from "./statement.ts";

/** Access to the meta table: single values by name. */
export class MetaTables {
  readonly #select;
  readonly #upsert;
  readonly #delete;

  constructor(statements: StatementFactory<ChainSchema>) {
    this.#select = statements.of<[key: string]>()((db, [key]) =>
      db.selectFrom("meta").select("value").where("key", "=", key),
    );
    this.#upsert = statements.of<[key: string, value: Uint8Array]>()((db, [key, value]) =>
      db
        .insertInto("meta")
        .values({ key, value })
        .onConflict((conflict) => conflict.column("key").doUpdateSet({ value })),
    );
    this.#delete = statements.of<[key: string]>()((db, [key]) =>
      db.deleteFrom("meta").where("key", "=", key),
    );
  }

  bytes(key: string): Uint8Array | undefined {
    return this.#select.get(key)?.value;
  }

  number(key: string): number | undefined {
    const value = this.bytes(key);
    return value === undefined ? undefined : Number(new TextDecoder().decode(value));
  }

  setBytes(key: string, value: Uint8Array): void {
    this.#upsert.run(key, value);
  }

  setNumber(key: string, value: number): void {
    this.#upsert.run(key, new TextEncoder().encode(String(value)));
  }

  remove(key: string): void {
    this.#delete.run(key);
  }
}

/** Keys of the meta table for values that the storage itself keeps. */
export const META = {
  l1Accepted: "l1_accepted_block",
  /** First block of a chain from a snapshot; absent if the chain starts with block 0. */
  oldestBlock: "oldest_block",
  /** Oldest block whose tries are kept; nodes of older blocks may await deletion. */
  oldestTrieBlock: "oldest_trie_block",
  /** Oldest block whose versioned state is kept. */
  oldestStateBlock: "oldest_state_block",
  /** Block up to which all superseded versions are deleted. */
  prunedStateBlock: "pruned_state_block",
  /** Number of entries in the next block's state diff that are also done. */
  prunedStateEntries: "pruned_state_entries",
} as const;

/**
 * Key of the meta table for the headers of the last blocks before the oldest one, in a chain from a
 * snapshot. Format of the value: `ancestors.ts`.
 */
export const ANCESTOR_HEADERS_KEY = "ancestor_headers";

/** Returns the key of a node's value; the prefix separates it from the storage's own keys. */
export function nodeKey(key: string): string {
  return `node:${key}`;
}
