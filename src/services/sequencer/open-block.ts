import type { BlockExecutor, ExecutionFlags } from "#engine/execution/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import {
  type BlockInfo,
  type EncodedClass,
  type EncodedTransaction,
  executableClassOf,
  type Receipt,
} from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { ParentInfo } from "./block-info.ts";
import { markedReceipt } from "./candidate-flags.ts";
import type { StorageWrite } from "./control-messages.ts";

/** Where a block stands: what its info is decided from. */
export interface BlockPlace {
  readonly number: number;
  readonly parent: ParentInfo | undefined;
  readonly state: StateReader;
}

/** How a transaction was executed. */
export interface Execution {
  readonly flags: ExecutionFlags;
  /** The class that it declares. */
  readonly declared: EncodedClass | undefined;
}

/** A message from L1 is executed as it is. */
export const OF_MESSAGE: Execution = { flags: {}, declared: undefined };

/** A block that is being built. */
export interface OpenBlock {
  readonly place: BlockPlace;
  readonly info: BlockInfo;
  readonly executor: BlockExecutor;
  readonly transactions: EncodedTransaction[];
  /** One per transaction, in the same order. */
  readonly executions: Execution[];
  readonly receipts: Receipt[];
  readonly classes: EncodedClass[];
  /** Storage variables that were written by nobody's transaction, behind all transactions. */
  readonly writes: StorageWrite[];
  /** How many of `transactions` were in deltas. */
  sentTransactions: number;
  /** How many of `classes` were in deltas. */
  sentClasses: number;
  /** Of the next delta; 0 while nobody was told of the block. */
  nextSequence: number;
}

/** An open block that has nothing yet. */
export function emptyBlock(place: BlockPlace, info: BlockInfo, executor: BlockExecutor): OpenBlock {
  return {
    place,
    info,
    executor,
    transactions: [],
    executions: [],
    receipts: [],
    classes: [],
    writes: [],
    sentTransactions: 0,
    sentClasses: 0,
    nextSequence: 0,
  };
}

/** Adds a transaction that was included, with its receipt. */
export function addIncluded(
  open: OpenBlock,
  transaction: EncodedTransaction,
  execution: Execution,
  receipt: Receipt,
): void {
  open.transactions.push(transaction);
  open.executions.push(execution);
  open.receipts.push(markedReceipt(receipt, execution.flags));
  if (execution.declared !== undefined) open.classes.push(execution.declared);
}

/**
 * Executes what `from` has in `into`, an empty block at the same place: whatever admission had found out
 * about it may depend on what differs, and is found out again.
 *
 * @returns whether all of it was included; otherwise `into` is of no use
 */
export function executeAgain(
  from: OpenBlock,
  into: OpenBlock,
  beforeTransaction: (hash: Felt) => void,
): boolean {
  for (const [i, transaction] of from.transactions.entries()) {
    const execution = from.executions[i] ?? OF_MESSAGE;
    const { flags, declared } = execution;
    beforeTransaction(transaction.hash);
    const executable = declared === undefined ? undefined : executableClassOf(declared);
    const outcome = into.executor.execute(transaction, flags, executable);
    if (outcome.kind !== "included") return false;
    addIncluded(into, transaction, execution, outcome.receipt);
  }
  for (const write of from.writes) addWrite(into, write);
  return true;
}

/** Writes a storage variable behind the block's transactions. */
export function addWrite(open: OpenBlock, write: StorageWrite): void {
  const { contractAddress, key, value } = write;
  open.executor.state().setStorage(contractAddress, key, value);
  open.writes.push(write);
}
