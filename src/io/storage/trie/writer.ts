import type { Felt } from "#base/primitives/index.ts";
import type { TrieChanges } from "#protocol/trie/index.ts";
import { blobFromUint } from "../blob.ts";
import type { ChainSchema } from "../schema/index.ts";
import type { StatementFactory } from "../statement.ts";
import { packIds } from "./ids.ts";
import { TriePageWriter } from "./page-writer.ts";
import { TRIE_KINDS } from "./kinds.ts";
import type { TrieTables } from "./reader.ts";

/** Writes trie rows. Every method needs an open transaction. */
export class TrieWriter {
  readonly #tables: TrieTables;
  readonly #pages: TriePageWriter;
  readonly #contractId: (address: Felt) => number;
  readonly #insertRoot;
  readonly #insertRemoved;
  readonly #deleteRoots;
  readonly #deleteRemovedAbove;
  readonly #clear;
  readonly #setRoot;

  constructor(
    statements: StatementFactory<ChainSchema>,
    tables: TrieTables,
    contractId: (address: Felt) => number,
  ) {
    this.#tables = tables;
    this.#pages = new TriePageWriter(statements, tables);
    this.#contractId = contractId;
    this.#insertRoot = statements.of<[number, number, number, number, Uint8Array]>()(
      (db, [kind, contract, block, nodeId, hash]) =>
        db.insertInto("trie_root").values({ kind, contract, block, node_id: nodeId, hash }),
    );
    this.#insertRemoved = statements.of<[number, Uint8Array]>()((db, [block, ids]) =>
      db.insertInto("trie_removed").values({ block, ids }),
    );
    this.#deleteRoots = statements.of<[kind: number, contract: number, block: number]>()(
      (db, [kind, contract, block]) =>
        db
          .deleteFrom("trie_root")
          .where("kind", "=", kind)
          .where("contract", "=", contract)
          .where("block", ">", block),
    );
    this.#deleteRemovedAbove = statements.of<[block: number]>()((db, [block]) =>
      db.deleteFrom("trie_removed").where("block", ">", block),
    );
    this.#clear = [
      statements.of<[]>()((db) => db.deleteFrom("trie_root")),
      statements.of<[]>()((db) => db.deleteFrom("trie_removed")),
    ];
    this.#setRoot = statements.of<[number, number, number, number, Uint8Array]>()(
      (db, [kind, contract, block, nodeId, hash]) =>
        db
          .insertInto("trie_root")
          .values({ kind, contract, block, node_id: nodeId, hash })
          .onConflict((conflict) =>
            conflict.columns(["kind", "contract", "block"]).doUpdateSet({ node_id: nodeId, hash }),
          ),
    );
  }

  apply(changes: TrieChanges, blockNumber: number): void {
    this.#pages.add(changes.added);
    for (const { kind, contractAddress, root } of changes.roots) {
      const contract = kind === "storage" ? this.#contractId(contractAddress) : 0;
      const hash = blobFromUint(root?.hash ?? 0n);
      this.#insertRoot.run(TRIE_KINDS[kind], contract, blockNumber, root?.id ?? 0, hash);
    }
    if (changes.removed.length > 0) {
      this.#insertRemoved.run(blockNumber, packIds(changes.removed));
    }
  }

  clear(): void {
    this.#pages.clear();
    for (const deletion of this.#clear) deletion.run();
  }

  /** Changes the tries of block `blockNumber`; no other tries may be stored. */
  amend(changes: TrieChanges, blockNumber: number): void {
    this.#pages.add(changes.added);
    this.#pages.remove(changes.removed.toSorted((a, b) => a - b));
    for (const { kind, contractAddress, root } of changes.roots) {
      const contract = kind === "storage" ? this.#contractId(contractAddress) : 0;
      const hash = blobFromUint(root?.hash ?? 0n);
      this.#setRoot.run(TRIE_KINDS[kind], contract, blockNumber, root?.id ?? 0, hash);
    }
  }

  /**
   * Updates the caches after the commit of {@link apply}: the next block mostly reads what this one wrote.
   */
  remember(changes: TrieChanges): void {
    const { hashes } = this.#tables;
    for (const { id, hash } of changes.added) {
      if (hash !== null) hashes.set(id, hash.bytes, hash.at, hash.cost);
    }
    for (const { root, ...name } of changes.roots) this.#tables.rememberRoot(name, root);
  }

  /**
   * Removes rows of blocks above `blockNumber`.
   *
   * @param contracts - contracts with storage changes in these blocks
   */
  revert(blockNumber: number, lastNodeId: number, contracts: Iterable<Felt>): void {
    this.#pages.removeAbove(lastNodeId);
    this.#deleteRemovedAbove.run(blockNumber);
    this.#deleteRoots.run(TRIE_KINDS.contracts, 0, blockNumber);
    this.#deleteRoots.run(TRIE_KINDS.classes, 0, blockNumber);
    for (const address of contracts) {
      this.#deleteRoots.run(TRIE_KINDS.storage, this.#contractId(address), blockNumber);
    }
  }
}
