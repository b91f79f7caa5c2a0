import {
  bool,
  type Check,
  closed,
  list,
  map,
  missable,
  nullable,
  oneOf,
  open,
  optional,
  StrictReaderError,
  type Struct,
  text,
  tuple,
  word,
} from "./checks.ts";
import { felt, felt251, height, hex128, protocolVersion, u64 } from "./numbers.ts";
import { receipt } from "./receipt.ts";
import { transaction } from "./transaction.ts";

const prices = closed({ price_in_wei: hex128, price_in_fri: hex128 });
const daMode = word("CALLDATA", "BLOB");

/** Known statuses; others in `status` and `tx_status` are rejected. */
export const STATUSES = [
  "NOT_RECEIVED",
  "RECEIVED",
  "PENDING",
  "REJECTED",
  "ACCEPTED_ON_L1",
  "ACCEPTED_ON_L2",
  "REVERTED",
  "ABORTED",
  "CANDIDATE",
  "PRE_CONFIRMED",
] as const;

const BLOCK: Struct = {
  block_hash: felt,
  block_number: height,
  l1_gas_price: prices,
  l1_data_gas_price: prices,
  l2_gas_price: optional(prices),
  parent_block_hash: felt,
  sequencer_address: optional(felt),
  status: word("ACCEPTED_ON_L1", "ACCEPTED_ON_L2"),
  timestamp: height,
  transaction_receipts: list(receipt),
  transactions: list(transaction),
  starknet_version: missable(protocolVersion),
  transaction_commitment: felt,
  event_commitment: felt,
  l1_da_mode: daMode,
  receipt_commitment: optional(felt),
  state_diff_commitment: optional(felt),
  state_diff_length: optional(u64),
};

/** Strict check of a response of get_block. */
export const block: Check = (value, path) => {
  const root = oneOf("state_root", "state_commitment", value, path);
  closed({ ...BLOCK, [root]: felt })(value, path);
};

/** Strict check of a response of get_block with `headerOnly`. */
export const headerOnly = closed({ block_hash: felt, block_number: height });

const deployed = closed({ address: felt251, class_hash: felt251 });
const declared = closed({ class_hash: felt251, compiled_class_hash: felt251 });

/** Strict check of state changes of a block, or of a transaction of a pre-confirmed block. */
export const stateDiff = closed({
  storage_diffs: map(felt251, list(closed({ key: felt251, value: felt }))),
  deployed_contracts: list(deployed),
  old_declared_contracts: list(felt251),
  declared_classes: list(declared),
  nonces: map(felt251, felt),
  replaced_classes: list(deployed),
  migrated_compiled_classes: missable(list(declared)),
});

/** Strict check of a response of get_state_update. */
export const stateUpdate = closed({
  block_hash: missable(felt),
  new_root: missable(felt),
  old_root: felt,
  state_diff: stateDiff,
});

const pair = tuple(felt, felt);

/**
 * Strict check of a response of get_state_update with `includeBlock`, and optionally
 * `includeSignature`.
 */
export const wholeBlock = open({
  block,
  state_update: stateUpdate,
  signature: missable(pair),
});

/** Strict check of a response of get_signature. */
export const signature = open({ block_hash: felt, signature: pair });

const PRE_CONFIRMED_LISTS: Struct = {
  transactions: list(transaction),
  transaction_receipts: list(nullable(receipt)),
  transaction_state_diffs: list(nullable(stateDiff)),
};

/** Strict check of a response of get_preconfirmed_block. */
export const preConfirmed: Check = (value, path) => {
  open({
    ...PRE_CONFIRMED_LISTS,
    l1_gas_price: prices,
    l1_data_gas_price: prices,
    l2_gas_price: prices,
    sequencer_address: felt,
    status: word("PRE_CONFIRMED"),
    timestamp: height,
    starknet_version: protocolVersion,
    l1_da_mode: daMode,
  })(value, path);
  checkLengths(value as Lists, path);
};

interface Lists {
  readonly transactions: readonly unknown[];
  readonly transaction_receipts: readonly unknown[];
  readonly transaction_state_diffs: readonly unknown[];
}

function checkLengths(value: Lists, path: string): void {
  const { transactions, transaction_receipts: receipts, transaction_state_diffs: diffs } = value;
  if (receipts.length !== transactions.length || diffs.length !== transactions.length) {
    throw new StrictReaderError(path, "lists of one length");
  }
}

/**
 * Strict check of a response of get_preconfirmed_block with `blockIdentifier` and
 * `knownTransactionCount`: clients since 0.14.3.
 */
export const preConfirmedDelta: Check = (value, path) => {
  open({ changed: bool })(value, path);
  const answer = value as Readonly<Record<string, unknown>>;
  if (answer["changed"] === false) return;
  open({ block_identifier: text, block_number: height, ...PRE_CONFIRMED_LISTS })(value, path);
  if (Object.hasOwn(answer, "timestamp")) preConfirmed(value, path);
  else checkLengths(value as Lists, path);
};
