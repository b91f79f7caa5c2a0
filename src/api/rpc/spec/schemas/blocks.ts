import { named, type Schema } from "#base/codec/index.ts";
import { COUNT, FELT, list, type Members, oneOf, record, TEXT, texts } from "./common.ts";

/** JSON schemas of the members of a block without its transactions, in one version. */
export interface HeadMembers {
  readonly sealed: Members;
  /** Members while it is being built. */
  readonly building: Members;
  /** Specification's name for a block being built: PRE_CONFIRMED or PENDING. */
  readonly buildingName: string;
}

/** Schemas of the transactions in blocks. */
export interface BlockContents {
  readonly transactionWithHash: Schema;
  readonly transaction: Schema;
  readonly receipt: Schema;
}

const PRICE: Schema = named("RESOURCE_PRICE", record({ price_in_fri: FELT, price_in_wei: FELT }));

/** JSON schemas of the members that sealed blocks and blocks being built have. */
export const INFO_MEMBERS: Members = {
  block_number: COUNT,
  timestamp: COUNT,
  sequencer_address: FELT,
  l1_gas_price: PRICE,
  l1_data_gas_price: PRICE,
  l2_gas_price: PRICE,
  l1_da_mode: texts("BLOB", "CALLDATA"),
  starknet_version: TEXT,
};

/** JSON schemas of the members that only sealed blocks have. */
export const SEALING_MEMBERS: Members = {
  status: texts("ACCEPTED_ON_L2", "ACCEPTED_ON_L1"),
  block_hash: FELT,
  parent_hash: FELT,
  new_root: FELT,
};

/** JSON schemas of the commitments and counts of a sealed block. */
export const COMMITMENT_MEMBERS: Members = {
  transaction_commitment: FELT,
  event_commitment: FELT,
  receipt_commitment: FELT,
  state_diff_commitment: FELT,
  transaction_count: COUNT,
  event_count: COUNT,
  state_diff_length: COUNT,
};

/** Schemas of BLOCK_WITH_TX_HASHES, BLOCK_WITH_TXS and BLOCK_WITH_RECEIPTS, sealed or being built. */
export function blockSchemas(
  head: HeadMembers,
  { transactionWithHash, transaction, receipt }: BlockContents,
) {
  const block = (name: string, entry: Schema): Schema => {
    const transactions = list(entry);
    return oneOf(
      named(name, record({ ...head.sealed, transactions })),
      named(`${head.buildingName}_${name}`, record({ ...head.building, transactions })),
    );
  };
  return {
    blockWithHashes: block("BLOCK_WITH_TX_HASHES", FELT),
    blockWithTransactions: block("BLOCK_WITH_TXS", transactionWithHash),
    blockWithReceipts: block("BLOCK_WITH_RECEIPTS", record({ transaction, receipt })),
  };
}
