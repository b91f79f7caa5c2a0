import { encodeBlockInputs, encodeHeader, encodeStateDiff } from "#protocol/chain/index.ts";
import { blobFromUint } from "../blob.ts";
import { eventFilter } from "../event-filter.ts";
import type { ChainSchema } from "../schema/index.ts";
import type { StatementFactory } from "../statement.ts";
import type { BlockCommit } from "../types.ts";

/** Writes blocks without their transactions. Every method needs an open transaction. */
export class BlockWriter {
  readonly #insertBlock;
  readonly #insertStateDiff;
  readonly #insertEventFilter;
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
    this.#insertEventFilter = statements.of<[number, Uint8Array]>()((db, [block, filter]) =>
      db.insertInto("block_event_filter").values({ block, filter }),
    );
    this.#deletions = [
      statements.of<[number]>()((db, [block]) =>
        db.deleteFrom("block").where("number", ">", block),
      ),
      statements.of<[number]>()((db, [block]) =>
        db.deleteFrom("block_state_diff").where("block", ">", block),
      ),
      statements.of<[number]>()((db, [block]) =>
        db.deleteFrom("block_event_filter").where("block", ">", block),
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
    const events = receipts.flatMap((receipt) => receipt.events);
    this.#insertEventFilter.run(header.number, eventFilter(events));
  }

  deleteAbove(blockNumber: number): void {
    for (const deletion of this.#deletions) deletion.run(blockNumber);
  }
}
