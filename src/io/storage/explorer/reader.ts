import { statSync } from "node:fs";
import { StorageError } from "#base/errors/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { blobFromUint, uintFromBlob } from "../blob.ts";
import { blockStatements } from "./block-statements.ts";
import { type OpenExplorerFile, openExplorerFile } from "./open.ts";
import { readStatements } from "./read-statements.ts";
import type {
  EventPlace,
  FoundClass,
  FoundContract,
  FoundTransfer,
  IndexedBlock,
  IndexPosition,
  RowPlace,
  TransactionPlace,
} from "./types.ts";

/** Place of a declared class in the list of all. */
export interface ClassPlace extends TransactionPlace {
  readonly classId: number;
}

/** The explorer's index as one thread reads it; lists return the rows before a place, newest first. */
export interface ExplorerReader {
  /** Runs `read` on one snapshot of the index. */
  snapshot<T>(read: () => T): T;
  oldest(): IndexPosition | undefined;
  newest(): IndexPosition | undefined;
  /** Hash and time (Unix seconds) of an indexed block; `undefined` if it is not indexed. */
  block(number: number): Pick<IndexedBlock, "number" | "hash" | "timestamp"> | undefined;
  sent(sender: Felt, before: TransactionPlace, limit: number): TransactionPlace[];
  /** Transactions that touch a contract, other than those that it sent. */
  touched(contract: Felt, before: TransactionPlace, limit: number): TransactionPlace[];
  transfers(holder: Felt, before: EventPlace, limit: number): FoundTransfer[];
  contracts(classHash: Felt, before: RowPlace, limit: number): FoundContract[];
  /** @returns each class with its place */
  declared(before: ClassPlace, limit: number): (FoundClass & { readonly place: ClassPlace })[];
  /** Summaries of blocks, oldest first. */
  summaries(from: number, to: number): BlockSummary[];
}

/** What the index keeps of a block for the totals of a period. */
export type BlockSummary = Pick<IndexedBlock, "timestamp" | "transactionCount" | "l2Gas">;

/** Creates the reader of an open file. */
export function createExplorerReader({ connection, statements }: OpenExplorerFile): ExplorerReader {
  const blocks = blockStatements(statements);
  const lists = readStatements(statements);
  const idOf = (felt: Felt): number | undefined => {
    const row = lists.feltId.get(blobFromUint(felt));
    return row === undefined ? undefined : Number(row.id);
  };
  const feltOf = (id: bigint): Felt => {
    const row = lists.felt.get(Number(id));
    if (row !== undefined) return uintFromBlob(row.value);
    throw new StorageError("STORAGE_DAMAGED", "The explorer's index lacks a value that it names.");
  };
  const rowsOf = <T>(felt: Felt, read: (id: number) => T[]): T[] => {
    const id = idOf(felt);
    return id === undefined ? [] : read(id);
  };
  return {
    snapshot: (read) => connection.transaction(read).deferred(),
    oldest: () => positionOf(blocks.oldest.get()),
    newest: () => positionOf(blocks.newest.get()),
    block(number) {
      const row = blocks.block.get(number);
      if (row === undefined) return undefined;
      return { number, hash: uintFromBlob(row.hash), timestamp: Number(row.timestamp) };
    },
    sent: (sender, { block, index }, limit) =>
      rowsOf(sender, (id) => lists.sent.all(id, block, index, limit).map(placeOf)),
    touched: (contract, { block, index }, limit) =>
      rowsOf(contract, (id) => lists.touched.all(id, block, index, limit).map(placeOf)),
    transfers: (holder, { block, index, event }, limit) =>
      rowsOf(holder, (id) => {
        // Few tokens have most transfers.
        const tokens = new Map<bigint, Felt>();
        return lists.transfers.all(id, block, index, event, limit).map((row) => {
          const token = tokens.get(row.token) ?? feltOf(row.token);
          tokens.set(row.token, token);
          return { ...placeOf(row), event: Number(row.event), token };
        });
      }),
    contracts: (classHash, { block, order }, limit) =>
      rowsOf(classHash, (id) =>
        lists.contracts.all(id, block, order, limit).map((row) => ({
          block: Number(row.block),
          order: Number(row.contract),
          contract: feltOf(row.contract),
          how: row.replaced === 0n ? "deployed" : "replaced",
        })),
      ),
    declared: ({ block, index, classId }, limit) =>
      lists.declared.all(block, index, classId, limit).map((row) => {
        const [number, place, id] = [Number(row.block), Number(row.place), Number(row.class)];
        return {
          block: number,
          index: place === 0 ? null : place - 1,
          classHash: feltOf(row.class),
          place: { block: number, index: place, classId: id },
        };
      }),
    summaries: (from, to) =>
      lists.summaries.all(from, to).map(({ timestamp, transactions, l2_gas }) => ({
        timestamp: Number(timestamp),
        transactionCount: Number(transactions),
        l2Gas: l2_gas,
      })),
  };
}

/** Index file of another thread, opened when it is read first, and again after it was replaced. */
export class ExplorerFile {
  readonly #path: string;
  readonly #chainId: string;
  #open: { readonly file: OpenExplorerFile; readonly reader: ExplorerReader } | undefined;
  #identity: string | undefined;

  constructor(path: string, chainId: string) {
    this.#path = path;
    this.#chainId = chainId;
  }

  /**
   * Returns the reader; `undefined` while there is no file, or one that is not built yet.
   *
   * @throws {StorageError} STORAGE_DAMAGED when the file is no database
   */
  async reader(): Promise<ExplorerReader | undefined> {
    const found = statSync(this.#path, { throwIfNoEntry: false });
    const identity = found === undefined ? undefined : `${found.dev}.${found.ino}`;
    if (identity !== this.#identity) this.close();
    if (identity === undefined) return undefined;
    if (this.#open === undefined) {
      const file = await openIfBuilt(this.#path, this.#chainId);
      if (file === undefined) return undefined;
      this.#open = { file, reader: createExplorerReader(file) };
      this.#identity = identity;
    }
    return this.#open.reader;
  }

  close(): void {
    this.#open?.file.connection.close(true);
    this.#open = undefined;
    this.#identity = undefined;
  }
}

async function openIfBuilt(path: string, chainId: string): Promise<OpenExplorerFile | undefined> {
  try {
    return await openExplorerFile(path, chainId, "reader");
  } catch (error) {
    // Its writer has just created it, or replaces it.
    if (error instanceof StorageError && error.code !== "STORAGE_DAMAGED") return undefined;
    throw error;
  }
}

function positionOf(
  row: { readonly number: bigint; readonly hash: Uint8Array } | undefined,
): IndexPosition | undefined {
  return row === undefined
    ? undefined
    : { number: Number(row.number), hash: uintFromBlob(row.hash) };
}

function placeOf(row: { readonly block: bigint; readonly position: bigint }): TransactionPlace {
  return { block: Number(row.block), index: Number(row.position) };
}
