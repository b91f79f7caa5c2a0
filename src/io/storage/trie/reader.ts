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

/** What a cached page takes besides its bytes: its array, that array's memory, and its place in the map. */
const PAGE_OVERHEAD_BYTES = 140;

/** The part of the memory that hashes of nodes take; pages take the rest. */
const HASHES_PART = 1 / 4;

/** Newest roots in memory: of the contracts that blocks of a while touch. */
const MAX_ROOTS = 32_768;

/** What trie tables are read with. */
export interface TrieTablesOptions {
  readonly contractId: (address: Felt) => number | undefined;
  /** The oldest block whose tries are kept. */
  readonly oldestBlock: () => number;
  /** Most bytes of nodes and their hashes in memory; ids are given again after a revert: {@link TrieTables.forget}. */
  readonly cacheBytes: number;
}

/** Reads trie rows, with a cache of pages. */
export class TrieTables {
  readonly #options: TrieTablesOptions;
  /** Of nodes that are stored. */
  readonly hashes: NodeHashes;
  readonly #pages: GenerationCache<number, Uint8Array>;
  /** By the contract's id, or that of the trie of all; `null`: the trie is empty. */
  readonly #newestRoots = new GenerationCache<number, TrieRoot | null>(MAX_ROOTS);
  /** Pages that memory did not have. */
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
    // Another connection may have added nodes to the page since it was read.
    const page = this.#load(number);
    return page === undefined ? undefined : nodeOf(page, id);
  }

  /** A page of nodes: for who writes. */
  page(number: number): Uint8Array | undefined {
    return this.#pages.get(number) ?? this.#load(number);
  }

  /** Pages that were read from the file so far. */
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
      hashes: this.hashes,
      node: (id) => required(this.node(id)),
      root: (name) => required(this.root(name, blockNumber)),
    };
  }

  /** A page is another one, or gone: for who writes. */
  rememberPage(number: number, nodes: Uint8Array | undefined): void {
    if (nodes === undefined) this.#pages.delete(number);
    else this.#pages.set(number, nodes);
  }

  /** The newest root of a trie is another one, as of a commit. */
  rememberRoot(name: TrieName, root: TrieRoot | null): void {
    const key = this.#rootKey(name);
    if (key !== undefined) this.#newestRoots.set(key, root);
  }

  /** Empties the caches: needed when rows went away. */
  forget(): void {
    this.#pages.clear();
    this.hashes.clear();
    this.#newestRoots.clear();
  }

  /** Ids of contracts are above 0. `undefined`: the contract has none. */
  #rootKey({ kind, contractAddress }: TrieName): number | undefined {
    return kind === "storage" ? this.#options.contractId(contractAddress) : -TRIE_KINDS[kind];
  }
}
