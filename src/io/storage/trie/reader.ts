import type { Felt } from "#base/primitives/index.ts";
import type { TrieKind, TrieName, TrieReader, TrieRoot } from "#protocol/trie/index.ts";
import { uintFromBlob } from "../blob.ts";
import { GenerationCache } from "../cache.ts";
import { fixed, ONE } from "../chain-statements.ts";
import { prunedError } from "../retention.ts";
import type { ChainSchema } from "../schema/index.ts";
import type { StatementFactory } from "../statement.ts";

/** The `kind` column. */
export const TRIE_KINDS: Readonly<Record<TrieKind, number>> = {
  contracts: 0,
  classes: 1,
  storage: 2,
};

/** What a cached node takes besides its bytes: its array, that array's memory, and its place in the map. */
const NODE_OVERHEAD_BYTES = 140;

/** Newest roots in memory: of the contracts that blocks of a while touch. */
const MAX_ROOTS = 32_768;

/** What trie tables are read with. */
export interface TrieTablesOptions {
  readonly contractId: (address: Felt) => number | undefined;
  /** The oldest block whose tries are kept. */
  readonly oldestBlock: () => number;
  /** Most bytes of nodes in memory; 0 where other connections revert: ids are used again then. */
  readonly cacheBytes: number;
}

/** Reads trie rows, with a cache of nodes. */
export class TrieTables {
  readonly #options: TrieTablesOptions;
  readonly #nodes: GenerationCache<number, Uint8Array>;
  /** By the contract's id, or that of the trie of all; `null`: the trie is empty. */
  readonly #newestRoots = new GenerationCache<number, TrieRoot | null>(MAX_ROOTS);
  readonly #selectNode;
  readonly #selectRoot;

  constructor(statements: StatementFactory<ChainSchema>, options: TrieTablesOptions) {
    this.#options = options;
    this.#nodes = new GenerationCache(
      options.cacheBytes,
      (bytes) => bytes.length + NODE_OVERHEAD_BYTES,
    );
    this.#selectNode = statements.of<[id: number]>()((db, [id]) =>
      db.selectFrom("trie_node").select("bytes").where("id", "=", id),
    );
    this.#selectRoot = statements.of<[kind: number, contract: number, block: number]>()(
      (db, [kind, contract, block]) =>
        db
          .selectFrom("trie_root")
          .select(["node_id", "hash"])
          .where("kind", "=", fixed(kind))
          .where("contract", "=", fixed(contract))
          .where("block", "<=", fixed(block))
          .orderBy("block", "desc")
          .limit(ONE),
    );
  }

  node(id: number): Uint8Array | undefined {
    const cached = this.#nodes.get(id);
    if (cached !== undefined) return cached;
    const bytes = this.#selectNode.get(id)?.bytes;
    if (bytes !== undefined) this.#nodes.set(id, bytes);
    return bytes;
  }

  /** The root after block `blockNumber`. */
  root(name: TrieName, blockNumber: number): TrieRoot | undefined {
    const contract = name.kind === "storage" ? this.#options.contractId(name.contractAddress) : 0;
    if (contract === undefined) return undefined;
    const row = this.#selectRoot.get(TRIE_KINDS[name.kind], contract, blockNumber);
    if (row === undefined || row.node_id === 0n) return undefined;
    return { id: Number(row.node_id), hash: uintFromBlob(row.hash) };
  }

  /**
   * The root after the newest block. It is kept in memory: only for who writes the tries, and tells
   * {@link rememberRoot} and {@link forget}.
   */
  newestRoot(name: TrieName): TrieRoot | undefined {
    const key = this.#rootKey(name);
    if (key === undefined) return undefined;
    const cached = this.#newestRoots.get(key);
    if (cached !== undefined) return cached ?? undefined;
    const root = this.root(name, Number.MAX_SAFE_INTEGER);
    this.#newestRoots.set(key, root ?? null);
    return root;
  }

  /**
   * All tries after block `blockNumber`. Methods throw {@link StorageError} STORAGE_PRUNED where they are
   * not kept: pruning may overtake who reads, and then a missing row says nothing.
   */
  at(blockNumber: number): TrieReader {
    const required = <T>(row: T | undefined): T | undefined => {
      if (row !== undefined || blockNumber < 0) return row;
      const oldest = this.#options.oldestBlock();
      if (blockNumber < oldest) throw prunedError("tries", blockNumber, oldest);
      return row;
    };
    return {
      node: (id) => required(this.node(id)),
      root: (name) => required(this.root(name, blockNumber)),
    };
  }

  /** Puts a row that was just inserted into the cache. */
  remember(id: number, bytes: Uint8Array): void {
    this.#nodes.set(id, bytes);
  }

  /** The newest root of a trie is another one, as of a commit. */
  rememberRoot(name: TrieName, root: TrieRoot | null): void {
    const key = this.#rootKey(name);
    if (key !== undefined) this.#newestRoots.set(key, root);
  }

  /** Empties the caches: needed when rows went away. */
  forget(): void {
    this.#nodes.clear();
    this.#newestRoots.clear();
  }

  /** Ids of contracts are above 0. `undefined`: the contract has none. */
  #rootKey({ kind, contractAddress }: TrieName): number | undefined {
    return kind === "storage" ? this.#options.contractId(contractAddress) : -TRIE_KINDS[kind];
  }
}
