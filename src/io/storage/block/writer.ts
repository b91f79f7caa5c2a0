import { encodeBlockInputs, encodeHeader, encodeStateDiff } from "#protocol/chain/index.ts";
import { blobFromUint } from "../blob.ts";
import { SegmentTable } from "../event-index/table.ts";
import { EventIndexWriter } from "../event-index/writer.ts";
import type { ChainSchema } from "../schema/index.ts";
import type { StatementFactory } from "../statement.ts";
import type { BlockCommit } from "../types.ts";
import { BlockReader } from "./reader.ts";

/** Writes blocks without their transactions. Every method needs an open transaction. */
export class BlockWriter {
  readonly #insertBlock;
  readonly #insertStateDiff;
  readonly #events: EventIndexWriter;
  readonly #reader: BlockReader;
  readonly #updateLastNodeId;
  readonly #deletions;

  constructor(statements: StatementFactory<ChainSchema>) {
    type Row = [number, Uint8Array, Uint8Array, Uint8Array, Uint8Array, number, Uint8Array, number];
    this.#insertBlock = statements.of<Row>()(
      (db, [number, hash, header, r, s, epoch, inputs, lastNodeId]) =>
        db.insertInto("block").values({
          number,
          hash,
          header,
          signature_r: r,
          signature_s: s,
          epoch,
          inputs,
          last_node_id: lastNodeId,
        }),
    );
    this.#insertStateDiff = statements.of<[number, Uint8Array]>()((db, [block, diff]) =>
      db.insertInto("block_state_diff").values({ block, diff }),
    );
    this.#events = new EventIndexWriter(new SegmentTable(statements));
    this.#reader = new BlockReader(statements);
    this.#updateLastNodeId = statements.of<[block: number, id: number]>()((db, [block, id]) =>
      db.updateTable("block").set({ last_node_id: id }).where("number", "=", block),
    );
    this.#deletions = [
      statements.of<[number]>()((db, [block]) =>
        db.deleteFrom("block").where("number", ">", block),
      ),
      statements.of<[number]>()((db, [block]) =>
        db.deleteFrom("block_state_diff").where("block", ">", block),
      ),
    ];
  }

  insert(commit: BlockCommit): void {
    const { header, signature, receipts, stateDiff } = commit.block;
    this.#insertBlock.run(
      header.number,
      blobFromUint(header.hash),
      encodeHeader(header),
      blobFromUint(signature.r),
      blobFromUint(signature.s),
      commit.epoch,
      encodeBlockInputs(commit.inputs),
      commit.trie.lastNodeId,
    );
    this.#insertStateDiff.run(header.number, Bun.zstdCompressSync(encodeStateDiff(stateDiff)));
    this.#events.insert(
      header.number,
      receipts.flatMap((receipt) => receipt.events),
    );
  }

  /** Updates the last node id after the tries of a block were rebuilt. */
  setLastNodeId(blockNumber: number, lastNodeId: number): void {
    this.#updateLastNodeId.run(blockNumber, lastNodeId);
  }

  deleteAbove(blockNumber: number): void {
    this.#events.deleteAbove(blockNumber, this.#reader.latestNumber() ?? -1);
    for (const deletion of this.#deletions) deletion.run(blockNumber);
  }
}
