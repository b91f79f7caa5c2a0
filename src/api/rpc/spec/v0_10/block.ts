import type { BlockHeader, BlockInfo, ResourcePrice } from "#protocol/chain/index.ts";
import type { JsonObject } from "#base/codec/index.ts";
import { invariant } from "#base/errors/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import type { BlockHead, Finality, SpecVersion } from "../version.ts";
import { encodeReceipt, type ReceiptEncoder } from "./receipt.ts";
import {
  encodeHashed,
  encodeTransaction,
  hexList,
  type TransactionEncoder,
} from "./transaction.ts";

/** Differences between versions in their blocks. */
export interface BlockParts {
  /** Encodes all members of a block but its transactions. */
  readonly head: (head: BlockHead) => JsonObject;
  readonly transaction: TransactionEncoder;
  readonly receipt: ReceiptEncoder;
}

/** Encoders of blocks. */
export type BlockEncoders = Pick<
  SpecVersion,
  "blockWithHashes" | "blockWithTransactions" | "blockWithReceipts"
>;

/**
 * Creates the encoders of BLOCK_WITH_TX_HASHES, BLOCK_WITH_TXS and BLOCK_WITH_RECEIPTS, sealed or being
 * built.
 */
export function blockEncoders({
  head: encodeHead,
  transaction,
  receipt,
}: BlockParts): BlockEncoders {
  return {
    blockWithHashes: ({ head, hashes }) => ({ ...encodeHead(head), transactions: hexList(hashes) }),
    blockWithTransactions: ({ head, transactions, options }) => ({
      ...encodeHead(head),
      transactions: transactions.map((entry) => encodeHashed(transaction, entry, options)),
    }),
    blockWithReceipts({ head, transactions, receipts, options }) {
      const finality: Finality = head.kind === "sealed" ? head.finality : "PRE_CONFIRMED";
      return {
        ...encodeHead(head),
        transactions: transactions.map((entry, i) => {
          const itsReceipt = receipts[i];
          invariant(itsReceipt !== undefined, "a block has one receipt per transaction");
          return {
            transaction: transaction(entry.transaction, options),
            receipt: receipt(entry, itsReceipt, finality),
          };
        }),
      };
    },
  };
}

/** Block encoders of JSON-RPC 0.10. */
export const BLOCK_ENCODERS: BlockEncoders = blockEncoders({
  head: encodeHead,
  transaction: encodeTransaction,
  receipt: encodeReceipt,
});

/** BLOCK_HEADER with the status, or PRE_CONFIRMED_BLOCK_HEADER. */
function encodeHead(head: BlockHead): JsonObject {
  if (head.kind === "building") return encodeInfo(head.info);
  const { header } = head;
  return {
    ...encodeSealing(head),
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

/** Encodes the members of sealed blocks only: status, hash, parent and root. */
export function encodeSealing(head: {
  readonly finality: Finality;
  readonly header: BlockHeader;
}): JsonObject {
  const { finality, header } = head;
  return {
    status: finality,
    block_hash: hexFromFelt(header.hash),
    parent_hash: hexFromFelt(header.parentHash),
    new_root: hexFromFelt(header.newRoot),
  };
}

/** Encodes the members shared by sealed blocks and blocks being built. */
export function encodeInfo(info: BlockInfo): JsonObject {
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
