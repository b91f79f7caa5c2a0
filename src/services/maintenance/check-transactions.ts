import type { Felt } from "#base/primitives/index.ts";
import {
  commitmentMismatch,
  computeCommitments,
  l1MessageHash,
  receiptCountMismatch,
  receiptMismatch,
  transactionHashMismatch,
} from "#protocol/chain/index.ts";
import type { IntegrityReader } from "#io/storage/index.ts";
import type { BlockContents } from "./block-contents.ts";
import { differ, requireNone, requireSame } from "./difference.ts";

/** Transactions per step of the check, after which it may pause. */
const STEP = 64;

/**
 * Checks a block's transactions and receipts: hashes, commitments, the index of hashes, and the records of L1
 * messages.
 *
 * @throws {StorageError} STORAGE_DIFFERENCE
 */
export function* checkTransactions(
  reader: IntegrityReader,
  contents: BlockContents,
  chainId: Felt,
): Generator<void, void> {
  const { number, transactions, receipts, header, diff } = contents;
  const count = receiptCountMismatch(transactions, receipts);
  requireNone("transaction_chunk", "number of receipts", count);
  for (const [i, hashed] of transactions.entries()) {
    const { hash } = hashed;
    const place = { chainId, blockNumber: number, index: i };
    const field = `hash of transaction ${i}`;
    requireNone("transaction_chunk", field, transactionHashMismatch(hashed, place));
    const ofReceipt = `transaction hash of receipt ${i}`;
    requireNone("transaction_chunk", ofReceipt, receiptMismatch(hashed, receipts[i], i));
    if (!reader.blocks.isIndexed(hash, number, i)) {
      differ("transaction_index", "prefix", `transaction ${i} is not found by its hash`);
    }
    if (i % STEP === STEP - 1) yield;
  }
  const found = computeCommitments(
    { transactions, receipts, stateDiff: diff },
    header.protocolVersion,
  );
  yield;
  const mismatch = commitmentMismatch(found, header);
  if (mismatch !== undefined) {
    const { field, expected: computed, found: told } = mismatch;
    const isOfDiff = field === "stateDiffLength" || field === "stateDiffCommitment";
    const table = isOfDiff ? "block_state_diff" : "transaction_chunk";
    // The header's hash was verified, so the tables are wrong, not the header.
    requireSame(table, `${field} of the header`, told ?? 0, computed);
  }
  checkMessages(reader, contents);
}

function checkMessages(
  reader: IntegrityReader,
  { number, inputs, transactions }: BlockContents,
): void {
  const byHash = new Map(transactions.map(({ hash, transaction }) => [hash, transaction]));
  const rows = new Map(reader.blocks.l1Messages(number).map((row) => [row.position, row]));
  for (const [position, message] of inputs.l1Messages.entries()) {
    const transaction = byHash.get(message.transactionHash);
    if (transaction?.type !== "L1_HANDLER" || transaction.nonce !== message.nonce) {
      return differ("block", "inputs", `message ${position} from L1 belongs to no transaction`);
    }
    requireSame("block", "inputs", l1MessageHash(transaction), message.messageHash);
    const row = rows.get(position);
    if (row === undefined) return differ("l1_message", "position", `there is no ${position}`);
    requireSame("l1_message", "nonce", message.nonce, row.nonce);
    requireSame("l1_message", "transaction_hash", message.transactionHash, row.transactionHash);
    if (message.l1TransactionHash !== row.l1TransactionHash) {
      differ("l1_message", "l1_transaction_hash", "it differs from the block's inputs");
    }
  }
  requireSame("l1_message", "number of rows", inputs.l1Messages.length, rows.size);
}
