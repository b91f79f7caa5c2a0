import { blobFromUint, uintFromBlob } from "../blob.ts";
import { fixed, ONE } from "../chain-statements.ts";
import type { ChainSchema } from "../schema/index.ts";
import type { StatementFactory } from "../statement.ts";
import type { StoredL1Message } from "../types.ts";

/** Reads consumed messages from L1. */
export class L1MessageReader {
  readonly #selectByNonce;
  readonly #selectByL1Transaction;

  constructor(statements: StatementFactory<ChainSchema>) {
    this.#selectByNonce = statements.of<[nonce: Uint8Array]>()((db, [nonce]) =>
      db
        .selectFrom("l1_message")
        .select(["transaction_hash", "block"])
        .where("nonce", "=", nonce)
        .limit(ONE),
    );
    this.#selectByL1Transaction = statements.of<[hash: Uint8Array]>()((db, [hash]) =>
      db
        .selectFrom("l1_message")
        .select(["transaction_hash", "block"])
        .where("l1_transaction_hash", "=", fixed(hash))
        .orderBy("block")
        .orderBy("position"),
    );
  }

  byNonce(nonce: bigint): StoredL1Message | undefined {
    const row = this.#selectByNonce.get(blobFromUint(nonce));
    return row === undefined ? undefined : messageOf(row);
  }

  ofL1Transaction(hash: bigint): StoredL1Message[] {
    return this.#selectByL1Transaction.all(blobFromUint(hash)).map(messageOf);
  }
}

function messageOf(row: { transaction_hash: Uint8Array; block: bigint }): StoredL1Message {
  return { transactionHash: uintFromBlob(row.transaction_hash), blockNumber: Number(row.block) };
}
