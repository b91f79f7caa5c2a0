import type { Felt } from "#base/primitives/index.ts";
import {
  computeCommitments,
  earlyTransactionHashes,
  l1MessageHash,
  transactionHash,
} from "#protocol/chain/index.ts";
import type { IntegrityReader } from "#io/storage/index.ts";
import type { BlockContents } from "./block-contents.ts";
import { differ, requireSame } from "./difference.ts";

/** Blocks of mainnet up to it have transactions with hashes by older rules. */
const LAST_EARLY_BLOCK = 1470;

/** Transactions between two moments at which the check may be left. */
const STEP = 64;

/**
 * Checks a block's transactions and receipts: hashes, commitments, the index of hashes, and where
 * messages from L1 went.
 *
 * @throws {StorageError} STORAGE_DIFFERENCE
 */
export function* checkTransactions(
  reader: IntegrityReader,
  contents: BlockContents,
  chainId: Felt,
): Generator<void, void> {
  const { number, transactions, receipts, header, diff } = contents;
  requireSame("transaction_chunk", "number of receipts", transactions.length, receipts.length);
  for (const [i, { hash, transaction }] of transactions.entries()) {
    const computed = transactionHash(transaction, chainId);
    const isEarly =
      number <= LAST_EARLY_BLOCK && earlyTransactionHashes(transaction, chainId).includes(hash);
    if (!isEarly) requireSame("transaction_chunk", `hash of transaction ${i}`, computed, hash);
    const field = `transaction hash of receipt ${i}`;
    requireSame("transaction_chunk", field, hash, receipts[i]?.transactionHash);
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
  const same = (table: string, name: keyof typeof found): void =>
    requireSame(table, `${name} of the header`, header[name], found[name]);
  same("transaction_chunk", "transactionCount");
  same("transaction_chunk", "transactionCommitment");
  same("transaction_chunk", "eventCount");
  same("transaction_chunk", "eventCommitment");
  same("transaction_chunk", "receiptCommitment");
  same("block_state_diff", "stateDiffLength");
  same("block_state_diff", "stateDiffCommitment");
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
      return differ("block", "inputs", `message ${position} from L1 is that of no transaction`);
    }
    requireSame("block", "inputs", l1MessageHash(transaction), message.messageHash);
    const row = rows.get(position);
    if (row === undefined) return differ("l1_message", "position", `there is no ${position}`);
    requireSame("l1_message", "nonce", message.nonce, row.nonce);
    requireSame("l1_message", "transaction_hash", message.transactionHash, row.transactionHash);
    if (message.l1TransactionHash !== row.l1TransactionHash) {
      differ("l1_message", "l1_transaction_hash", "it is not that of the block's inputs");
    }
  }
  requireSame("l1_message", "number of rows", inputs.l1Messages.length, rows.size);
}
