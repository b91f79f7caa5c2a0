import type { StateDiff } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { fixed, ONE } from "../chain-statements.ts";
import type { ChainSchema } from "../schema/index.ts";
import type { StatementFactory } from "../statement.ts";
import { packIds, unpackIds } from "../trie/ids.ts";
import type { TriePageWriter } from "../trie/page-writer.ts";
import { TRIE_KINDS } from "../trie/kinds.ts";

/** Lookups of a trie pruner in other tables. */
export interface TriePrunerSources {
  readonly stateDiff: (blockNumber: number) => StateDiff;
  readonly contractId: (address: Felt) => number | undefined;
  readonly pages: TriePageWriter;
}

/** Deletes trie rows that no kept block needs. Needs an open transaction. */
export class TriePruner {
  readonly #sources: TriePrunerSources;
  readonly #selectOldestRemoved;
  readonly #deleteRemoved;
  readonly #shortenRemoved;
  readonly #deleteRoots;

  constructor(statements: StatementFactory<ChainSchema>, sources: TriePrunerSources) {
    this.#sources = sources;
    this.#selectOldestRemoved = statements.of<[maxBlock: number]>()((db, [maxBlock]) =>
      db
        .selectFrom("trie_removed")
        .select(["block", "ids"])
        .where("block", "<=", fixed(maxBlock))
        .orderBy("block")
        .limit(ONE),
    );
    this.#deleteRemoved = statements.of<[block: number]>()((db, [block]) =>
      db.deleteFrom("trie_removed").where("block", "=", block),
    );
    this.#shortenRemoved = statements.of<[block: number, ids: Uint8Array]>()((db, [block, ids]) =>
      db.updateTable("trie_removed").set({ ids }).where("block", "=", block),
    );
    // A block may not have changed a trie that its diff names, so the newest root is always kept.
    this.#deleteRoots = statements.of<[kind: number, contract: number, block: number]>()(
      (db, [kind, contract, block]) =>
        db
          .deleteFrom("trie_root")
          .where("kind", "=", kind)
          .where("contract", "=", contract)
          .where("block", "<", (inner) =>
            inner
              .selectFrom("trie_root")
              .select((root) => root.fn.max("block").as("block"))
              .where("kind", "=", kind)
              .where("contract", "=", contract)
              .where("block", "<=", block),
          ),
    );
  }

  /**
   * Deletes nodes and roots that only blocks below `oldestBlock` need. Roots of one block are deleted
   * together, so a portion may exceed its size by the number of tries that block changed.
   *
   * @returns whether anything is left to delete
   */
  prune(oldestBlock: number, portion: number): boolean {
    for (let left = portion; left > 0;) {
      const row = this.#selectOldestRemoved.get(oldestBlock);
      if (row === undefined) return false;
      const block = Number(row.block);
      const ids = unpackIds(row.ids);
      this.#sources.pages.remove(ids.slice(0, left));
      if (ids.length > left) {
        this.#shortenRemoved.run(block, packIds(ids.slice(left)));
        return true;
      }
      left -= ids.length + this.#pruneRoots(block);
      this.#deleteRemoved.run(block);
    }
    return true;
  }

  /**
   * Deletes superseded roots: of each trie that `block` may have changed, all roots before the newest one up
   * to that block. Needed only for blocks that removed nodes: replacing a root also removes its node.
   *
   * @returns the number of storage tries that the block may have changed, which counts towards the portion
   */
  #pruneRoots(block: number): number {
    this.#deleteRoots.run(TRIE_KINDS.contracts, 0, block);
    this.#deleteRoots.run(TRIE_KINDS.classes, 0, block);
    const { storageDiffs } = this.#sources.stateDiff(block);
    for (const address of storageDiffs.keys()) {
      const contract = this.#sources.contractId(address);
      if (contract !== undefined) this.#deleteRoots.run(TRIE_KINDS.storage, contract, block);
    }
    return storageDiffs.size;
  }
}
