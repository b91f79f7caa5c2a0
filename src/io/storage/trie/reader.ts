import type { Felt } from "#base/primitives/index.ts";
import type { TrieKind, TrieName, TrieReader, TrieRoot } from "#protocol/trie/index.ts";
import { uintFromBlob } from "../blob.ts";
import { GenerationCache } from "../cache.ts";
import { fixed, ONE } from "../chain-statements.ts";
import type { ChainSchema } from "../schema/index.ts";
import type { StatementFactory } from "../statement.ts";

/** The `kind` column. */
export const TRIE_KINDS: Readonly<Record<TrieKind, number>> = {
  contracts: 0,
  classes: 1,
  storage: 2,
};

/** Reads trie rows, with a cache of nodes. */
export class TrieTables {
  readonly #contractId: (address: Felt) => number | undefined;
  readonly #nodes: GenerationCache<number, Uint8Array>;
  readonly #selectNode;
  readonly #selectRoot;

  /** @param cachedNodes - 0 where other connections unwind: ids are used again then */
  constructor(
    statements: StatementFactory<ChainSchema>,
    contractId: (address: Felt) => number | undefined,
    cachedNodes: number,
  ) {
    this.#contractId = contractId;
    this.#nodes = new GenerationCache(cachedNodes);
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
    const contract = name.kind === "storage" ? this.#contractId(name.contractAddress) : 0;
    if (contract === undefined) return undefined;
    const row = this.#selectRoot.get(TRIE_KINDS[name.kind], contract, blockNumber);
    if (row === undefined || row.node_id === 0n) return undefined;
    return { id: Number(row.node_id), hash: uintFromBlob(row.hash) };
  }

  /** All tries after block `blockNumber`. */
  at(blockNumber: number): TrieReader {
    return {
      node: (id) => this.node(id),
      root: (name) => this.root(name, blockNumber),
    };
  }

  /** Puts a row that was just inserted into the cache. */
  remember(id: number, bytes: Uint8Array): void {
    this.#nodes.set(id, bytes);
  }

  /** Empties the cache: needed when rows went away. */
  forget(): void {
    this.#nodes.clear();
  }
}
