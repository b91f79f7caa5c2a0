import {
  decodeReceipt,
  decodeTransaction,
  type HashedTransaction,
  type Receipt,
} from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { BlockPortion, TransactionLocation } from "#engine/state/index.ts";
import { GenerationCache } from "../cache.ts";
import { fixed } from "../chain-statements.ts";
import type { ChainSchema } from "../schema/index.ts";
import type { StatementFactory } from "../statement.ts";
import {
  type Chunk,
  CHUNK_SIZE,
  chunkId,
  isIndexInBlock,
  unpackChunk,
  unpackLocation,
} from "./chunk.ts";

/** Maximum size of cached decompressed chunks in bytes: enough for a few full blocks. */
const UNPACKED_BYTES = 4 << 20;

/** Approximate memory overhead of an item in bytes. */
const ITEM_BYTES = 100;

/** Decompressed chunk with its original row. */
interface UnpackedChunk {
  readonly packed: Uint8Array;
  readonly chunk: Chunk;
  readonly sizeBytes: number;
}

/** Returns the `prefix` column: the low 48 bits of a transaction hash. */
export function hashPrefix(transactionHash: Felt): number {
  return Number(transactionHash & 0xffff_ffff_ffffn);
}

/** Reads transactions and receipts. */
export class TransactionReader {
  readonly #selectChunk;
  readonly #selectChunks;
  readonly #selectLocations;
  /** By row id. Another writer may have replaced the row since it was decompressed. */
  readonly #unpacked = new GenerationCache<number, UnpackedChunk>(
    UNPACKED_BYTES,
    ({ sizeBytes }) => sizeBytes,
  );
  /** Chunks read by {@link locate}: callers usually read the transaction at the location next. */
  readonly #located = new WeakMap<TransactionLocation, Chunk>();

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

  chunks(blockNumber: number): Chunk[] {
    const first = chunkId(blockNumber, 0);
    return this.#selectChunks
      .all(first, chunkId(blockNumber + 1, 0))
      .map((row, i) => this.#unpack(first + i, row.items));
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
      const chunk = this.#chunkOf(location);
      const bytes = chunk?.transactions[location.index % CHUNK_SIZE];
      if (chunk === undefined || bytes === undefined) continue;
      if (decodeTransaction(bytes).hash !== transactionHash) continue;
      this.#located.set(location, chunk);
      return location;
    }
    return undefined;
  }

  transactionAt(location: TransactionLocation): HashedTransaction | undefined {
    const bytes = this.#chunkOf(location)?.transactions[location.index % CHUNK_SIZE];
    return bytes === undefined ? undefined : decodeTransaction(bytes);
  }

  receiptAt(location: TransactionLocation): Receipt | undefined {
    const bytes = this.#chunkOf(location)?.receipts[location.index % CHUNK_SIZE];
    return bytes === undefined ? undefined : decodeReceipt(bytes);
  }

  portionAt(location: TransactionLocation): BlockPortion | undefined {
    const chunk = this.#chunkOf(location);
    if (chunk === undefined) return undefined;
    const firstIndex = location.index - (location.index % CHUNK_SIZE);
    return {
      firstIndex,
      count: chunk.transactions.length,
      transactionAt(index) {
        const bytes = chunk.transactions[index - firstIndex];
        return bytes === undefined ? undefined : decodeTransaction(bytes);
      },
      receiptAt(index) {
        const bytes = chunk.receipts[index - firstIndex];
        return bytes === undefined ? undefined : decodeReceipt(bytes);
      },
    };
  }

  #chunkOf(location: TransactionLocation): Chunk | undefined {
    const located = this.#located.get(location);
    if (located !== undefined) return located;
    const { blockNumber, index } = location;
    if (!isIndexInBlock(index)) return undefined;
    const id = chunkId(blockNumber, Math.floor(index / CHUNK_SIZE));
    const row = this.#selectChunk.get(id);
    return row === undefined ? undefined : this.#unpack(id, row.items);
  }

  /** Decompresses a chunk, cached: a request for a transaction reads the same chunk several times. */
  #unpack(id: number, packed: Uint8Array): Chunk {
    const known = this.#unpacked.get(id);
    if (known !== undefined && Buffer.compare(known.packed, packed) === 0) return known.chunk;
    const chunk = unpackChunk(packed);
    const items = [...chunk.transactions, ...chunk.receipts];
    const sizeBytes = items.reduce((sum, { length }) => sum + length + ITEM_BYTES, packed.length);
    this.#unpacked.set(id, { packed, chunk, sizeBytes });
    return chunk;
  }
}
