import {
  decodeReceipt,
  decodeTransaction,
  type HashedTransaction,
  type Receipt,
} from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { TransactionLocation } from "#engine/state/index.ts";
import { fixed } from "../chain-statements.ts";
import type { ChainSchema } from "../schema/index.ts";
import type { StatementFactory } from "../statement.ts";
import { type Chunk, CHUNK_SIZE, chunkId, unpackChunk, unpackLocation } from "./chunk.ts";

/** The `prefix` column: the low 48 bits of a transaction hash. */
export function hashPrefix(transactionHash: Felt): number {
  return Number(transactionHash & 0xffff_ffff_ffffn);
}

/** Reads transactions and receipts. */
export class TransactionReader {
  readonly #selectChunk;
  readonly #selectChunks;
  readonly #selectLocations;

  constructor(statements: StatementFactory<ChainSchema>) {
    this.#selectChunk = statements.of<[id: number]>()((db, [id]) =>
      db.selectFrom("transaction_chunk").select("items").where("id", "=", id),
    );
    this.#selectChunks = statements.of<[from: number, below: number]>()((db, [from, below]) =>
      db
        .selectFrom("transaction_chunk")
        .select("items")
        .where("id", ">=", fixed(from))
        .where("id", "<", fixed(below))
        .orderBy("id"),
    );
    this.#selectLocations = statements.of<[prefix: number]>()((db, [prefix]) =>
      db.selectFrom("transaction_index").select("location").where("prefix", "=", prefix),
    );
  }

  /** All chunks of a block in order. */
  chunks(blockNumber: number): Chunk[] {
    return this.#selectChunks
      .all(chunkId(blockNumber, 0), chunkId(blockNumber + 1, 0))
      .map((row) => unpackChunk(row.items));
  }

  transactions(blockNumber: number): HashedTransaction[] {
    return this.chunks(blockNumber).flatMap((chunk) => chunk.transactions.map(decodeTransaction));
  }

  receipts(blockNumber: number): Receipt[] {
    return this.chunks(blockNumber).flatMap((chunk) => chunk.receipts.map(decodeReceipt));
  }

  locate(transactionHash: Felt): TransactionLocation | undefined {
    for (const row of this.#selectLocations.all(hashPrefix(transactionHash))) {
      const location = unpackLocation(row.location);
      if (this.transactionAt(location)?.hash === transactionHash) return location;
    }
    return undefined;
  }

  transactionAt({ blockNumber, index }: TransactionLocation): HashedTransaction | undefined {
    const bytes = this.#chunkOf(blockNumber, index)?.transactions[index % CHUNK_SIZE];
    return bytes === undefined ? undefined : decodeTransaction(bytes);
  }

  receiptAt({ blockNumber, index }: TransactionLocation): Receipt | undefined {
    const bytes = this.#chunkOf(blockNumber, index)?.receipts[index % CHUNK_SIZE];
    return bytes === undefined ? undefined : decodeReceipt(bytes);
  }

  #chunkOf(blockNumber: number, index: number): Chunk | undefined {
    const row = this.#selectChunk.get(chunkId(blockNumber, Math.floor(index / CHUNK_SIZE)));
    return row === undefined ? undefined : unpackChunk(row.items);
  }
}
