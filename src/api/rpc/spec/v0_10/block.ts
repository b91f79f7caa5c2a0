import type { BlockInfo, ResourcePrice } from "#protocol/chain/index.ts";
import type { JsonObject } from "#base/codec/index.ts";
import { invariant } from "#base/errors/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import type {
  BlockHead,
  BlockWithHashes,
  BlockWithReceipts,
  BlockWithTransactions,
  Finality,
} from "../version.ts";
import { encodeReceipt } from "./receipt.ts";
import { encodeHashedTransaction, encodeTransaction, hexList } from "./transaction.ts";

/** BLOCK_WITH_TX_HASHES or PRE_CONFIRMED_BLOCK_WITH_TX_HASHES. */
export function encodeBlockWithHashes({ head, hashes }: BlockWithHashes): JsonObject {
  return { ...encodeHead(head), transactions: hexList(hashes) };
}

/** BLOCK_WITH_TXS or PRE_CONFIRMED_BLOCK_WITH_TXS. */
export function encodeBlockWithTransactions(block: BlockWithTransactions): JsonObject {
  const { head, transactions, options } = block;
  return {
    ...encodeHead(head),
    transactions: transactions.map((entry) => encodeHashedTransaction(entry, options)),
  };
}

/** BLOCK_WITH_RECEIPTS or PRE_CONFIRMED_BLOCK_WITH_RECEIPTS. */
export function encodeBlockWithReceipts(block: BlockWithReceipts): JsonObject {
  const { head, transactions, receipts, options } = block;
  const finality: Finality = head.kind === "sealed" ? head.finality : "PRE_CONFIRMED";
  return {
    ...encodeHead(head),
    transactions: transactions.map((entry, i) => {
      const receipt = receipts[i];
      invariant(receipt !== undefined, "a block has one receipt per transaction");
      return {
        transaction: encodeTransaction(entry.transaction, options),
        receipt: encodeReceipt(entry, receipt, finality),
      };
    }),
  };
}

/** BLOCK_HEADER with the status, or PRE_CONFIRMED_BLOCK_HEADER. */
function encodeHead(head: BlockHead): JsonObject {
  if (head.kind === "building") return encodeInfo(head.info);
  const { header } = head;
  return {
    status: head.finality,
    block_hash: hexFromFelt(header.hash),
    parent_hash: hexFromFelt(header.parentHash),
    new_root: hexFromFelt(header.newRoot),
    ...encodeInfo(header),
    transaction_commitment: hexFromFelt(header.transactionCommitment),
    event_commitment: hexFromFelt(header.eventCommitment),
    receipt_commitment: hexFromFelt(header.receiptCommitment),
    state_diff_commitment: hexFromFelt(header.stateDiffCommitment),
    transaction_count: header.transactionCount,
    event_count: header.eventCount,
    state_diff_length: header.stateDiffLength,
  };
}

function encodeInfo(info: BlockInfo): JsonObject {
  return {
    block_number: info.number,
    timestamp: info.timestamp,
    sequencer_address: hexFromFelt(info.sequencerAddress),
    l1_gas_price: encodePrice(info.gasPrices.l1Gas),
    l1_data_gas_price: encodePrice(info.gasPrices.l1DataGas),
    l2_gas_price: encodePrice(info.gasPrices.l2Gas),
    l1_da_mode: info.l1DaMode,
    starknet_version: info.protocolVersion,
  };
}

function encodePrice(price: ResourcePrice): JsonObject {
  return { price_in_fri: hexFromFelt(price.fri), price_in_wei: hexFromFelt(price.wei) };
}
