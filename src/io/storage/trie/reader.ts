import type { Felt } from "#base/primitives/index.ts";
import { NodeHashes, type TrieName, type TrieReader, type TrieRoot } from "#protocol/trie/index.ts";
import { uintFromBlob } from "../blob.ts";
import { GenerationCache } from "../cache.ts";
import { fixed, ONE } from "../chain-statements.ts";
import { prunedError } from "../retention.ts";
import type { ChainSchema } from "../schema/index.ts";
import type { StatementFactory } from "../statement.ts";
import { TRIE_KINDS } from "./kinds.ts";
import { nodeOf, pageOf } from "./page.ts";

/** Memory overhead of a cached page in bytes: its array, the array's buffer, and its map entry. */
const PAGE_OVERHEAD_BYTES = 140;

/** Share of the cache for node hashes; pages take the rest. */
const HASHES_PART = 1 / 4;

/** Maximum number of cached newest roots: those of recently changed contracts. */
const MAX_ROOTS = 32_768;

/** Settings of {@link TrieTables}. */
export interface TrieTablesOptions {
  readonly contractId: (address: Felt) => number | undefined;
  readonly oldestBlock: () => number;
  /**
   * Maximum size of cached nodes and hashes in bytes. Node ids are reused after a revert:
   * {@link TrieTables.forget}.
   */
  readonly cacheBytes: number;
}

/** Reads trie rows, with a cache of pages. */
export class TrieTables {
  readonly #options: TrieTablesOptions;
  readonly hashes: NodeHashes;
  readonly #pages: GenerationCache<number, Uint8Array>;
  /** By contract id, or by kind for the global tries; `null` for an empty trie. */
  readonly #newestRoots = new GenerationCache<number, TrieRoot | null>(MAX_ROOTS);
  /** Number of pages that were not cached. */
  #pagesRead = 0;
  readonly #selectPage;
  readonly #selectRoot;

  constructor(statements: StatementFactory<ChainSchema>, options: TrieTablesOptions) {
    this.#options = options;
    this.hashes = new NodeHashes(options.cacheBytes * HASHES_PART);
    this.#pages = new GenerationCache(
      options.cacheBytes * (1 - HASHES_PART),
      (bytes) => bytes.length + PAGE_OVERHEAD_BYTES,
    );
    this.#selectPage = statements.of<[id: number]>()((db, [id]) =>
      db.selectFrom("trie_page").select("nodes").where("id", "=", id),
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
    const number = pageOf(id);
    const cached = this.#pages.get(number);
    const known = cached === undefined ? undefined : nodeOf(cached, id);
    if (known !== undefined) return known;
    // Another connection may have added nodes to the page since it was cached.
    const page = this.#load(number);
    return page === undefined ? undefined : nodeOf(page, id);
  }

  /** Returns a page of nodes, for writers. */
  page(number: number): Uint8Array | undefined {
    return this.#pages.get(number) ?? this.#load(number);
  }

  get pagesRead(): number {
    return this.#pagesRead;
  }

  #load(number: number): Uint8Array | undefined {
    const nodes = this.#selectPage.get(number)?.nodes;
    if (nodes === undefined) return undefined;
    this.#pagesRead++;
    this.#pages.set(number, nodes);
    return nodes;
  }

  /** Returns the root after block `blockNumber`. */
  root(name: TrieName, blockNumber: number): TrieRoot | undefined {
    const contract = name.kind === "storage" ? this.#options.contractId(name.contractAddress) : 0;
    if (contract === undefined) return undefined;
    const row = this.#selectRoot.get(TRIE_KINDS[name.kind], contract, blockNumber);
    if (row === undefined || row.node_id === 0n) return undefined;
    return { id: Number(row.node_id), hash: uintFromBlob(row.hash) };
  }

  /**
   * Returns the root after the newest block. It is cached, so only the writer may use this, and must call
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
   * Returns a reader of all tries after block `blockNumber`. Methods throw {@link StorageError}
   * STORAGE_PRUNED when the tries are not kept: pruning may run during a read, so a missing row proves
   * nothing.
   */
  at(blockNumber: number): TrieReader {
    const required = <T>(row: T | undefined): T | undefined => {
      if (row !== undefined || blockNumber < 0) return row;
      const oldest = this.#options.oldestBlock();
      if (blockNumber < oldest) throw prunedError("tries", blockNumber, oldest);
      return row;
    };
    return {
      hashes: this.hashes,
      node: (id) => required(this.node(id)),
      root: (name) => required(this.root(name, blockNumber)),
    };
  }

  /** Updates the cache after a page was changed or deleted, for writers. */
  rememberPage(number: number, nodes: Uint8Array | undefined): void {
    if (nodes === undefined) this.#pages.delete(number);
    else this.#pages.set(number, nodes);
  }

  /** Updates the cached newest root of a trie after a commit. */
  rememberRoot(name: TrieName, root: TrieRoot | null): void {
    const key = this.#rootKey(name);
    if (key !== undefined) this.#newestRoots.set(key, root);
  }

  /** Clears the caches, which is needed after rows were deleted. */
  forget(): void {
    this.#pages.clear();
    this.hashes.clear();
    this.#newestRoots.clear();
  }

  /**
   * Returns the cache key of a trie; contract ids are positive. @returns `undefined` if the contract has no
   * id
   */
  #rootKey({ kind, contractAddress }: TrieName): number | undefined {
    return kind === "storage" ? this.#options.contractId(contractAddress) : -TRIE_KINDS[kind];
  }
}
