import type { BlockInputs } from "#protocol/chain/index.ts";
import { blobFromUint } from "../blob.ts";
import type { ChainSchema } from "../schema/index.ts";
import type { StatementFactory } from "../statement.ts";

/** Writes consumed messages from L1. Every method needs an open transaction. */
export class L1MessageWriter {
  readonly #insert;
  readonly #deleteAbove;

  constructor(statements: StatementFactory<ChainSchema>) {
    type Row = [Uint8Array, number, number, Uint8Array, Uint8Array | null];
    this.#insert = statements.of<Row>()(
      (db, [nonce, block, position, transactionHash, l1TransactionHash]) =>
        db.insertInto("l1_message").values({
          nonce,
          block,
          position,
          transaction_hash: transactionHash,
          l1_transaction_hash: l1TransactionHash,
        }),
    );
    this.#deleteAbove = statements.of<[block: number]>()((db, [block]) =>
      db.deleteFrom("l1_message").where("block", ">", block),
    );
  }

  insert(inputs: BlockInputs, blockNumber: number): void {
    inputs.l1Messages.forEach((message, position) => {
      this.#insert.run(
        blobFromUint(message.nonce),
        blockNumber,
        position,
        blobFromUint(message.transactionHash),
        message.l1TransactionHash === null ? null : blobFromUint(message.l1TransactionHash),
      );
    });
  }

  deleteAbove(blockNumber: number): void {
    this.#deleteAbove.run(blockNumber);
  }
}
