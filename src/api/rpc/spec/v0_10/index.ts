import { array, felt, type JsonValue, storageKey } from "#base/codec/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import type { BlockReference, SyncStatus } from "../../context.ts";
import type { SpecVersion } from "../version.ts";
import { BLOCK_ENCODERS } from "./block.ts";
import { BROADCASTED_DECODERS } from "./broadcasted.ts";
import { encodeCompiledClass } from "./compiled-class.ts";
import { encodeContractClass } from "./contract-class.ts";
import { encodeError } from "./errors.ts";
import { eventFilter } from "./event-filter.ts";
import { encodeEventsPage } from "./events.ts";
import { encodeEstimate } from "./fee-estimate.ts";
import {
  blockId,
  estimateFlags,
  functionCall,
  l1TransactionHash,
  messageFromL1,
  sealedBlockId,
  simulationFlags,
  storageFlags,
  traceFlags,
  transactionFlags,
} from "./ids.ts";
import { encodeMessageStatuses, encodeReceiptAnswer, encodeTransactionStatus } from "./receipt.ts";
import { SCHEMAS } from "./schemas.ts";
import { encodeStateUpdate } from "./state-update.ts";
import {
  encodeStorageProof,
  provenClasses,
  provenContracts,
  provenStorage,
} from "./storage-proof.ts";
import { TRACE_ENCODERS } from "./trace.ts";
import { encodeHashed, encodeTransaction } from "./transaction.ts";
import { SUBSCRIPTIONS } from "./ws.ts";

/** Version 0.10.2 (starkware-libs/starknet-specs, api/*.json at v0.10.2). */
export const SPEC_0_10_2: SpecVersion = {
  version: "0.10.2",

  felt,
  updatedContracts: array(felt),
  l1TransactionHash,
  storageKey,
  blockId,
  sealedBlockId,
  provenBlockId: sealedBlockId,
  provenClasses,
  provenContracts,
  provenStorage,
  functionCall,
  messageFromL1,
  eventFilter,
  ...BROADCASTED_DECODERS,
  transactionFlags,
  storageFlags,
  estimateFlags,
  simulationFlags,
  traceFlags,

  ...BLOCK_ENCODERS,
  transaction: ({ transaction, options }) => encodeHashed(encodeTransaction, transaction, options),
  receipt: encodeReceiptAnswer,
  transactionStatus: encodeTransactionStatus,
  messageStatuses: encodeMessageStatuses,
  stateUpdate: encodeStateUpdate,
  contractClass: encodeContractClass,
  compiledClass: encodeCompiledClass,
  feeEstimates: (estimates) => estimates.map(encodeEstimate),
  ...TRACE_ENCODERS,
  eventsPage: encodeEventsPage,
  storage: ({ value, lastUpdateBlock }) =>
    lastUpdateBlock === undefined
      ? hexFromFelt(value)
      : { value: hexFromFelt(value), last_update_block: lastUpdateBlock },
  storageProof: encodeStorageProof,
  hashAndNumber: ({ hash, number }) => ({ block_hash: hexFromFelt(hash), block_number: number }),
  syncStatus: (status) => (status === false ? false : encodeSyncStatus(status)),

  schemas: SCHEMAS,

  subscriptions: SUBSCRIPTIONS,

  error: encodeError,
};

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
