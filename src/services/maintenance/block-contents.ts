import type { Felt } from "#base/primitives/index.ts";
import {
  type BlockHeader,
  type BlockInputs,
  decodeBlockInputs,
  decodeHeader,
  decodeReceipt,
  decodeStateDiff,
  decodeTransaction,
  type HashedTransaction,
  type Receipt,
  type StateDiff,
} from "#protocol/chain/index.ts";
import type { BlockRow, IntegrityReader } from "#io/storage/index.ts";
import { differ, reading } from "./difference.ts";

/** A stored block, decoded. */
export interface BlockContents {
  readonly number: number;
  readonly row: BlockRow;
  readonly header: BlockHeader;
  readonly inputs: BlockInputs;
  readonly diff: StateDiff;
  readonly transactions: readonly HashedTransaction[];
  readonly receipts: readonly Receipt[];
  /** Number of transaction rows. */
  readonly chunks: number;
}

/** Data of the preceding block that a check needs. */
export interface PreviousBlock {
  readonly hash: Felt;
  readonly lastNodeId: number;
}

/**
 * Reads and decodes a block.
 *
 * @throws {StorageError} STORAGE_DIFFERENCE when a part is missing or cannot be decoded
 */
export function readContents(reader: IntegrityReader, number: number): BlockContents {
  const row = reader.blocks.block(number);
  if (row === undefined) return differ("block", "number", "there is no such block");
  const chunks =
    reading("transaction_chunk", "items", () => reader.blocks.chunks(number)) ??
    differ("transaction_chunk", "id", "the rows of the block do not follow each other");
  const diff = reading("block_state_diff", "diff", () => reader.blocks.stateDiff(number));
  if (diff === undefined) return differ("block_state_diff", "block", "there is no row");
  return {
    number,
    row,
    header: reading("block", "header", () => decodeHeader(row.header)),
    inputs: reading("block", "inputs", () => decodeBlockInputs(row.inputs)),
    diff: reading("block_state_diff", "diff", () => decodeStateDiff(diff)),
    transactions: reading("transaction_chunk", "items", () =>
      chunks.flatMap(({ transactions }) => transactions.map(decodeTransaction)),
    ),
    receipts: reading("transaction_chunk", "items", () =>
      chunks.flatMap(({ receipts }) => receipts.map(decodeReceipt)),
    ),
    chunks: chunks.length,
  };
}

/**
 * Returns the header of one of the last blocks before the first one.
 *
 * @throws {StorageError} STORAGE_DIFFERENCE when it is missing
 */
export function ancestorOf({ chain }: IntegrityReader, number: number): BlockHeader {
  const header = reading("meta", "ancestor_headers", () => chain.ancestorHeader(number));
  return header ?? differ("meta", "ancestor_headers", `the header of block ${number} is missing`);
}

/**
 * Returns the data of the preceding block. Before block 0 there is no hash and no node; a snapshot chain has
 * no nodes before its first block.
 */
export function previousOf(reader: IntegrityReader, number: number): PreviousBlock {
  if (number === 0) return { hash: 0n, lastNodeId: 0 };
  if (number === reader.chain.oldestBlock()) {
    return { hash: ancestorOf(reader, number - 1).hash, lastNodeId: 0 };
  }
  const row = reader.blocks.block(number - 1);
  if (row === undefined) return differ("block", "number", `there is no block ${number - 1}`);
  return { hash: row.hash, lastNodeId: row.lastNodeId };
}
