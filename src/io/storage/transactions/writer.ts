import { encodeReceipt, type HashedTransaction, type SealedBlock } from "#protocol/chain/index.ts";
import type { ChainSchema } from "../schema/index.ts";
import type { StatementFactory } from "../statement.ts";
import { CHUNK_SIZE, chunkId, packChunk, packLocation } from "./chunk.ts";
import { hashPrefix } from "./reader.ts";

/** Writes transactions and receipts. Every method needs an open transaction. */
export class TransactionWriter {
  readonly #insertChunk;
  readonly #insertLocation;
  readonly #deleteChunksFrom;
  readonly #deleteLocation;

  constructor(statements: StatementFactory<ChainSchema>) {
    this.#insertChunk = statements.of<[id: number, items: Uint8Array]>()((db, [id, items]) =>
      db.insertInto("transaction_chunk").values({ id, items }),
    );
    this.#insertLocation = statements.of<[prefix: number, location: number]>()(
      (db, [prefix, location]) => db.insertInto("transaction_index").values({ prefix, location }),
    );
    this.#deleteChunksFrom = statements.of<[id: number]>()((db, [id]) =>
      db.deleteFrom("transaction_chunk").where("id", ">=", id),
    );
    this.#deleteLocation = statements.of<[prefix: number, location: number]>()(
      (db, [prefix, location]) =>
        db
          .deleteFrom("transaction_index")
          .where("prefix", "=", prefix)
          .where("location", "=", location),
    );
  }

  insert(body: Pick<SealedBlock, "transactions" | "receipts">, blockNumber: number): void {
    const { transactions, receipts } = body;
    for (let start = 0; start < transactions.length; start += CHUNK_SIZE) {
      const end = start + CHUNK_SIZE;
      const items = packChunk({
        transactions: transactions.slice(start, end).map(({ bytes }) => bytes),
        receipts: receipts.slice(start, end).map(encodeReceipt),
      });
      this.#insertChunk.run(chunkId(blockNumber, start / CHUNK_SIZE), items);
    }
    transactions.forEach(({ hash }, index) => {
      this.#insertLocation.run(hashPrefix(hash), packLocation(blockNumber, index));
    });
  }

  /** Removes the rows of a block and of any above; the block must be the newest one. */
  deleteFrom(blockNumber: number, transactions: readonly HashedTransaction[]): void {
    transactions.forEach(({ hash }, index) => {
      this.#deleteLocation.run(hashPrefix(hash), packLocation(blockNumber, index));
    });
    this.#deleteChunksFrom.run(chunkId(blockNumber, 0));
  }
}
