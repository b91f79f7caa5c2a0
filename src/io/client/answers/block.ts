import {
  array,
  convert,
  type Decoder,
  felt,
  integer,
  isJsonObject,
  literal,
  object,
  textOf,
  u128Hex,
} from "#base/codec/index.ts";
import type {
  BlockCommitments,
  BlockHeader,
  ResourcePrice,
  Transaction,
} from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { type RemoteReceipt, remoteReceipt } from "./receipt.ts";
import { remoteTransaction } from "./transaction.ts";

/** BLOCK_STATUS of a block that only a reorg can revert; other statuses are rejected. */
export type AcceptedStatus = "ACCEPTED_ON_L2" | "ACCEPTED_ON_L1";

const acceptedStatus = literal("ACCEPTED_ON_L2", "ACCEPTED_ON_L1");

/** Block reported by a node. Only its shape is checked. */
export interface RemoteBlock {
  readonly header: BlockHeader;
  readonly status: AcceptedStatus;
  /** Without hashes: the receipts contain them. */
  readonly transactions: readonly Transaction[];
  /** One per transaction. */
  readonly receipts: readonly RemoteReceipt[];
}

/** Block with transaction hashes, as reported by a node. */
export interface RemoteHashes {
  readonly header: BlockHeader;
  readonly transactionHashes: readonly Felt[];
}

const priceMembers = object({ price_in_fri: u128Hex, price_in_wei: u128Hex });

const price: Decoder<ResourcePrice> = convert(priceMembers, priceMembers.describe, (read) => ({
  fri: read.price_in_fri,
  wei: read.price_in_wei,
}));

const INFO_MEMBERS = {
  block_hash: felt,
  parent_hash: felt,
  block_number: integer(),
  new_root: felt,
  timestamp: integer(),
  sequencer_address: felt,
  l1_gas_price: price,
  l2_gas_price: price,
  l1_data_gas_price: price,
  l1_da_mode: literal("BLOB", "CALLDATA"),
  starknet_version: textOf({
    pattern: /^(\d{1,3}(\.\d{1,3}){1,3})?$/,
    describe: "protocol version of at most four numbers",
  }),
};

const COMMITMENT_MEMBERS = {
  event_commitment: felt,
  transaction_commitment: felt,
  receipt_commitment: felt,
  state_diff_commitment: felt,
  event_count: integer(),
  transaction_count: integer(),
  state_diff_length: integer(),
};

const infoMembers = object(INFO_MEMBERS);
const commitmentMembers = object(COMMITMENT_MEMBERS);
const headerMembers = object({ ...INFO_MEMBERS, ...COMMITMENT_MEMBERS });

/** Header without its commitments, as before JSON-RPC 0.10. */
export type RemoteHead = Omit<BlockHeader, keyof BlockCommitments>;

/** Decodes BLOCK_HEADER of a sealed block, except its commitments. */
export const remoteHead: Decoder<RemoteHead> = convert(
  infoMembers,
  infoMembers.describe,
  (read) => ({
    hash: read.block_hash,
    parentHash: read.parent_hash,
    number: read.block_number,
    newRoot: read.new_root,
    timestamp: read.timestamp,
    sequencerAddress: read.sequencer_address,
    gasPrices: {
      l1Gas: read.l1_gas_price,
      l1DataGas: read.l1_data_gas_price,
      l2Gas: read.l2_gas_price,
    },
    l1DaMode: read.l1_da_mode,
    protocolVersion: read.starknet_version,
  }),
);

const commitments: Decoder<BlockCommitments> = convert(
  commitmentMembers,
  commitmentMembers.describe,
  (read) => ({
    eventCommitment: read.event_commitment,
    transactionCommitment: read.transaction_commitment,
    receiptCommitment: read.receipt_commitment,
    stateDiffCommitment: read.state_diff_commitment,
    eventCount: read.event_count,
    transactionCount: read.transaction_count,
    stateDiffLength: read.state_diff_length,
  }),
);

/**
 * Decodes the commitments of BLOCK_HEADER; `undefined` if it has none of them, as before JSON-RPC 0.10.
 */
export const remoteCommitments: Decoder<BlockCommitments | undefined> = {
  describe: commitmentMembers.describe,
  decode(value, path) {
    const hasAny =
      isJsonObject(value) && Object.keys(COMMITMENT_MEMBERS).some((name) => name in value);
    return hasAny ? commitments.decode(value, path) : undefined;
  },
};

/** Decodes BLOCK_HEADER of a sealed block. */
export const remoteHeader: Decoder<BlockHeader> = {
  describe: headerMembers.describe,
  decode: (value, path) => ({
    ...remoteHead.decode(value, path),
    ...commitments.decode(value, path),
  }),
};

const hashes = object({ status: acceptedStatus, transactions: array(felt) });

/** Body of a block with receipts, as reported by a node. */
export type RemoteBody = Omit<RemoteBlock, "header">;

const entries = object({
  status: acceptedStatus,
  transactions: array(object({ transaction: remoteTransaction, receipt: remoteReceipt })),
});

/** Status and transaction hashes of a block, as reported by a node. */
export interface RemoteHashList {
  readonly status: AcceptedStatus;
  readonly transactionHashes: readonly Felt[];
}

/** Decodes the members of BLOCK_WITH_TX_HASHES below its header. */
export const remoteHashList: Decoder<RemoteHashList> = convert(
  hashes,
  hashes.describe,
  ({ status, transactions }) => ({ status, transactionHashes: transactions }),
);

/** Decodes BLOCK_WITH_TX_HASHES. */
export const remoteHashes: Decoder<RemoteHashes> = {
  describe: "block with transaction hashes",
  decode: (value, path) => ({
    header: remoteHeader.decode(value, path),
    transactionHashes: hashes.decode(value, path).transactions,
  }),
};

/** Decodes the members of BLOCK_WITH_RECEIPTS below its header. */
export const remoteBody: Decoder<RemoteBody> = {
  describe: entries.describe,
  decode(value, path) {
    const { status, transactions } = entries.decode(value, path);
    return {
      status,
      transactions: transactions.map(({ transaction }) => transaction),
      receipts: transactions.map(({ receipt }) => receipt),
    };
  },
};

/** Decodes BLOCK_WITH_RECEIPTS. */
export const remoteBlock: Decoder<RemoteBlock> = {
  describe: "block with receipts",
  decode: (value, path) => ({
    header: remoteHeader.decode(value, path),
    ...remoteBody.decode(value, path),
  }),
};
