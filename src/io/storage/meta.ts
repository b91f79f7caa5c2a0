import type { ChainSchema } from "./schema/index.ts";
import type { StatementFactory } from "./statement.ts";

/** The meta table: single values by name. */
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

/** Names of the storage's own values. */
export const META = {
  l1Accepted: "l1_accepted_block",
  /** The block that a chain from a snapshot begins with; without it, it begins with block 0. */
  oldestBlock: "oldest_block",
  /** Of the oldest block whose tries are kept; what older blocks need may be left to be deleted. */
  oldestTrieBlock: "oldest_trie_block",
  /** The same of the versioned state. */
  oldestStateBlock: "oldest_state_block",
  /** All versions that this block and those before it have superseded are deleted. */
  prunedStateBlock: "pruned_state_block",
  /** How many entries of the state diff of the block after are done, too. */
  prunedStateEntries: "pruned_state_entries",
} as const;

/** Of a chain from a snapshot: headers of the last blocks before the oldest one. Form: `ancestors.ts`. */
export const ANCESTOR_HEADERS_KEY = "ancestor_headers";

/** Key of a value of the node: apart from the storage's own. */
export function nodeKey(key: string): string {
  return `node:${key}`;
}
