import type { FeeEstimate } from "#engine/execution/index.ts";
import { array, felt, type JsonValue, storageKey } from "#base/codec/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import type { BlockReference, SyncStatus } from "../../context.ts";
import type { SpecVersion } from "../version.ts";
import {
  encodeBlockWithHashes,
  encodeBlockWithReceipts,
  encodeBlockWithTransactions,
} from "./block.ts";
import { anyTransactions, declare, deployAccount, invoke } from "./broadcasted.ts";
import { encodeCompiledClass } from "./compiled-class.ts";
import { encodeContractClass } from "./contract-class.ts";
import { encodeError } from "./errors.ts";
import {
  blockId,
  estimateFlags,
  eventFilter,
  functionCall,
  messageFromL1,
  sealedBlockId,
  simulationFlags,
  storageFlags,
  traceFlags,
  transactionFlags,
} from "./ids.ts";
import { encodeReceiptAnswer, encodeTransactionStatus } from "./receipt.ts";
import { encodeStateUpdate } from "./state-update.ts";
import { encodeHashedTransaction } from "./transaction.ts";

/** Version 0.10.2 (starkware-libs/starknet-specs, api/*.json at v0.10.2). */
export const SPEC_0_10_2: SpecVersion = {
  version: "0.10.2",

  felt,
  feltList: array(felt),
  storageKey,
  blockId,
  sealedBlockId,
  functionCall,
  messageFromL1,
  eventFilter,
  invoke,
  deployAccount,
  declare,
  anyTransactions,
  transactionFlags,
  storageFlags,
  estimateFlags,
  simulationFlags,
  traceFlags,

  blockWithHashes: encodeBlockWithHashes,
  blockWithTransactions: encodeBlockWithTransactions,
  blockWithReceipts: encodeBlockWithReceipts,
  transaction: ({ transaction, options }) => encodeHashedTransaction(transaction, options),
  receipt: encodeReceiptAnswer,
  transactionStatus: encodeTransactionStatus,
  stateUpdate: encodeStateUpdate,
  contractClass: encodeContractClass,
  compiledClass: encodeCompiledClass,
  feeEstimates: (estimates) => estimates.map(encodeEstimate),
  storage: ({ value, lastUpdateBlock }) =>
    lastUpdateBlock === undefined
      ? hexFromFelt(value)
      : { value: hexFromFelt(value), last_update_block: lastUpdateBlock },
  hashAndNumber: ({ hash, number }) => ({ block_hash: hexFromFelt(hash), block_number: number }),
  syncStatus: (status) => (status === false ? false : encodeSyncStatus(status)),

  error: encodeError,
};

/** FEE_ESTIMATE. */
function encodeEstimate({ gas, prices, overallFee, unit }: FeeEstimate): JsonValue {
  return {
    l1_gas_consumed: hexFromFelt(gas.l1Gas),
    l1_gas_price: hexFromFelt(prices.l1Gas),
    l2_gas_consumed: hexFromFelt(gas.l2Gas),
    l2_gas_price: hexFromFelt(prices.l2Gas),
    l1_data_gas_consumed: hexFromFelt(gas.l1DataGas),
    l1_data_gas_price: hexFromFelt(prices.l1DataGas),
    overall_fee: hexFromFelt(overallFee),
    unit,
  };
}

/** SYNC_STATUS. */
function encodeSyncStatus(status: SyncStatus): JsonValue {
  return {
    ...reference("starting", status.startingBlock),
    ...reference("current", status.currentBlock),
    ...reference("highest", status.highestBlock),
  };
}

function reference(name: string, { hash, number }: BlockReference): Record<string, JsonValue> {
  return { [`${name}_block_hash`]: hexFromFelt(hash), [`${name}_block_num`]: number };
}
