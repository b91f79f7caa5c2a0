import type { Schema } from "#base/codec/index.ts";
import { COUNT, FELT, list, record } from "./common.ts";
import { blockSchemas, type HeadMembers } from "./blocks.ts";
import { COMPILED_CLASS, CONTRACT_CLASS } from "./classes.ts";
import { STORAGE_PROOF } from "./proofs.ts";
import { type ReceiptShape, receiptSchemas } from "./receipts.ts";
import { stateUpdateSchema, SYNC_STATUS } from "./state.ts";
import { type TraceParts, traceSchemas } from "./traces.ts";
import { type TransactionParts, transactionSchemas } from "./transactions.ts";

/** Schemas of the results of a version, by the names of its encoders. */
export interface AnswerSchemas {
  readonly blockWithHashes: Schema;
  readonly blockWithTransactions: Schema;
  readonly blockWithReceipts: Schema;
  readonly transaction: Schema;
  readonly receipt: Schema;
  readonly transactionStatus: Schema;
  readonly messageStatus: Schema;
  readonly stateUpdate: Schema;
  readonly contractClass: Schema;
  readonly compiledClass: Schema;
  readonly feeEstimates: Schema;
  readonly transactionTrace: Schema;
  readonly simulations: Schema;
  readonly blockTraces: Schema;
  readonly messageFee: Schema;
  readonly eventsPage: Schema;
  readonly storage: Schema;
  readonly storageProof: Schema;
  readonly hashAndNumber: Schema;
  readonly syncStatus: Schema;
}

/** Differences between versions in their result schemas. */
export interface AnswerParts {
  readonly head: HeadMembers;
  readonly transactions: TransactionParts;
  readonly receipts: ReceiptShape;
  readonly traces: TraceParts;
  /** The state update of a block being built always contains the previous root. */
  readonly knowsOldRoot: boolean;
  readonly transactionStatus: Schema;
  readonly messageStatus: Schema;
  readonly eventsPage: Schema;
  readonly messageFee: Schema;
  readonly storage: Schema;
}

/** Creates the result schemas of a version. */
export function answerSchemas(parts: AnswerParts): AnswerSchemas {
  const { head, traces, transactionStatus, messageStatus, eventsPage, messageFee, storage } = parts;
  const { transaction, transactionWithHash } = transactionSchemas(parts.transactions);
  const { receipt, receiptWithBlock } = receiptSchemas(parts.receipts);
  return {
    ...blockSchemas(head, { transaction, transactionWithHash, receipt }),
    transaction: transactionWithHash,
    receipt: receiptWithBlock,
    transactionStatus,
    messageStatus,
    stateUpdate: stateUpdateSchema(traces.stateDiff, head.buildingName, parts.knowsOldRoot),
    contractClass: CONTRACT_CLASS,
    compiledClass: COMPILED_CLASS,
    feeEstimates: list(traces.estimate),
    ...traceSchemas(traces),
    messageFee,
    eventsPage,
    storage,
    storageProof: STORAGE_PROOF,
    hashAndNumber: record({ block_hash: FELT, block_number: COUNT }),
    syncStatus: SYNC_STATUS,
  };
}
