import { sql } from "kysely";
import { blobFromUint, uintFromBlob } from "../blob.ts";
import { fixed, ONE } from "../chain-statements.ts";
import type { ChainSchema } from "../schema/index.ts";
import type { StatementFactory } from "../statement.ts";
import type { StoredL1Message } from "../types.ts";

/**
 * Number of last consumed messages that are searched for the highest nonce. Messages are consumed in nonce
 * order, except for those that come back after an L1 reorg.
 */
const LATEST = sql<number>`256`;

/** Reads consumed messages from L1. */
export class L1MessageReader {
  readonly #selectByNonce;
  readonly #selectLatest;
  readonly #selectFirstFrom;
  readonly #selectByL1Transaction;

  constructor(statements: StatementFactory<ChainSchema>) {
    this.#selectByNonce = statements.of<[nonce: Uint8Array]>()((db, [nonce]) =>
      db
        .selectFrom("l1_message")
        .select(["transaction_hash", "block"])
        .where("nonce", "=", nonce)
        .limit(ONE),
    );
    this.#selectLatest = statements.of()((db) =>
      db.selectFrom("l1_message").select("nonce").orderBy("block", "desc").limit(LATEST),
    );
    // Nonces are stored without leading zeros, so a longer one is higher.
    this.#selectFirstFrom = statements.of<[nonce: Uint8Array, length: number]>()(
      (db, [nonce, length]) =>
        db
          .selectFrom("l1_message")
          .select(["transaction_hash", "block"])
          .where(({ eb, fn, and, or }) => {
            const stored = fn<bigint>("length", ["nonce"]);
            return or([
              eb(stored, ">", length),
              and([eb(stored, "=", length), eb("nonce", ">=", nonce)]),
            ]);
          })
          .orderBy("block")
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

  newestNonce(): bigint | undefined {
    let newest: bigint | undefined;
    for (const row of this.#selectLatest.all()) {
      const nonce = uintFromBlob(row.nonce);
      if (newest === undefined || nonce > newest) newest = nonce;
    }
    return newest;
  }

  firstFrom(nonce: bigint): StoredL1Message | undefined {
    const blob = blobFromUint(nonce);
    const row = this.#selectFirstFrom.get(blob, blob.length);
    return row === undefined ? undefined : messageOf(row);
  }

  ofL1Transaction(hash: bigint): StoredL1Message[] {
    return this.#selectByL1Transaction.all(blobFromUint(hash)).map(messageOf);
  }
}

function messageOf(row: { transaction_hash: Uint8Array; block: bigint }): StoredL1Message {
  return { transactionHash: uintFromBlob(row.transaction_hash), blockNumber: Number(row.block) };
}
