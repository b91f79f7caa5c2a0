import { ByteReader, ByteWriter } from "#base/codec/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { TrieChanges } from "#protocol/trie/index.ts";
import { blobFromUint } from "../blob.ts";
import { fixed, ONE } from "../chain-statements.ts";
import type { ChainSchema } from "../schema/index.ts";
import type { StatementFactory } from "../statement.ts";
import { TRIE_KINDS, type TrieTables } from "./reader.ts";

/** Writes trie rows. Every method needs an open transaction. */
export class TrieWriter {
  readonly #tables: TrieTables;
  readonly #contractId: (address: Felt) => number;
  readonly #insertNode;
  readonly #insertRoot;
  readonly #insertRemoved;
  readonly #deleteNode;
  readonly #deleteNodesAbove;
  readonly #deleteRoots;
  readonly #deleteRemovedAbove;
  readonly #deleteRemoved;
  readonly #selectOldestRemoved;

  constructor(
    statements: StatementFactory<ChainSchema>,
    tables: TrieTables,
    contractId: (address: Felt) => number,
  ) {
    this.#tables = tables;
    this.#contractId = contractId;
    this.#insertNode = statements.of<[number, Uint8Array]>()((db, [id, bytes]) =>
      db.insertInto("trie_node").values({ id, bytes }),
    );
    this.#insertRoot = statements.of<[number, number, number, number, Uint8Array]>()(
      (db, [kind, contract, block, nodeId, hash]) =>
        db.insertInto("trie_root").values({ kind, contract, block, node_id: nodeId, hash }),
    );
    this.#insertRemoved = statements.of<[number, Uint8Array]>()((db, [block, ids]) =>
      db.insertInto("trie_removed").values({ block, ids }),
    );
    this.#deleteNode = statements.of<[id: number]>()((db, [id]) =>
      db.deleteFrom("trie_node").where("id", "=", id),
    );
    this.#deleteNodesAbove = statements.of<[id: number]>()((db, [id]) =>
      db.deleteFrom("trie_node").where("id", ">", id),
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
    this.#deleteRemoved = statements.of<[block: number]>()((db, [block]) =>
      db.deleteFrom("trie_removed").where("block", "=", block),
    );
    this.#selectOldestRemoved = statements.of<[maxBlock: number]>()((db, [maxBlock]) =>
      db
        .selectFrom("trie_removed")
        .select(["block", "ids"])
        .where("block", "<=", fixed(maxBlock))
        .orderBy("block")
        .limit(ONE),
    );
  }

  /** Adds the rows of a block. */
  apply(changes: TrieChanges, blockNumber: number): void {
    for (const { id, bytes } of changes.added) this.#insertNode.run(id, bytes);
    for (const { kind, contractAddress, root } of changes.roots) {
      const contract = kind === "storage" ? this.#contractId(contractAddress) : 0;
      const hash = blobFromUint(root?.hash ?? 0n);
      this.#insertRoot.run(TRIE_KINDS[kind], contract, blockNumber, root?.id ?? 0, hash);
    }
    if (changes.removed.length > 0) {
      this.#insertRemoved.run(blockNumber, packIds(changes.removed));
    }
  }

  /** After the commit of {@link apply}: the next block reads mostly what this one wrote. */
  remember(changes: TrieChanges): void {
    for (const { id, bytes } of changes.added) this.#tables.remember(id, bytes);
  }

  /** Removes rows of blocks above `blockNumber`; `contracts` are those with storage changes there. */
  revert(blockNumber: number, lastNodeId: number, contracts: Iterable<Felt>): void {
    this.#deleteNodesAbove.run(lastNodeId);
    this.#deleteRemovedAbove.run(blockNumber);
    this.#deleteRoots.run(TRIE_KINDS.contracts, 0, blockNumber);
    this.#deleteRoots.run(TRIE_KINDS.classes, 0, blockNumber);
    for (const address of contracts) {
      this.#deleteRoots.run(TRIE_KINDS.storage, this.#contractId(address), blockNumber);
    }
  }

  /** Deletes nodes that blocks up to `blockNumber` removed. @returns how many */
  prune(blockNumber: number): number {
    let count = 0;
    for (;;) {
      const row = this.#selectOldestRemoved.get(blockNumber);
      if (row === undefined) return count;
      for (const id of unpackIds(row.ids)) {
        this.#deleteNode.run(id);
        count++;
      }
      this.#deleteRemoved.run(Number(row.block));
    }
  }
}

function packIds(ids: readonly number[]): Uint8Array {
  const writer = new ByteWriter(ids.length * 3);
  let previous = 0;
  for (const id of Float64Array.from(ids).sort()) {
    writer.varint(id - previous);
    previous = id;
  }
  return writer.finish();
}

function unpackIds(packed: Uint8Array): number[] {
  const reader = new ByteReader(packed, "trie_removed");
  const ids: number[] = [];
  let id = 0;
  while (reader.remaining > 0) ids.push((id += reader.varint()));
  return ids;
}
