import type { BlockExecutor, ExecutionFlags } from "#engine/execution/index.ts";
import type { PendingDelta, StateReader } from "#engine/state/index.ts";
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
import { applyChange, changeSize, type StateChange } from "./state-change.ts";

/** Position of a block: the values its info is derived from. */
export interface BlockPlace {
  readonly number: number;
  readonly parent: ParentInfo | undefined;
  readonly state: StateReader;
}

/**
 * How a transaction of the open block was executed: with which flags, and with which declared class. Needed
 * to execute it again while the block is open.
 */
export interface Execution {
  readonly flags: ExecutionFlags;
  /** Class that the transaction declares. */
  readonly declared: EncodedClass | undefined;
}

/** {@link Execution} of a message from L1, which has no flags and declares nothing. */
export const OF_MESSAGE: Execution = { flags: {}, declared: undefined };

/** Block under construction. */
export interface OpenBlock {
  readonly place: BlockPlace;
  readonly info: BlockInfo;
  readonly executor: BlockExecutor;
  readonly transactions: EncodedTransaction[];
  /** One per transaction, in the same order. */
  readonly executions: Execution[];
  readonly receipts: Receipt[];
  readonly classes: EncodedClass[];
  /** Changes of the state outside of transactions, after all of them. */
  readonly changes: StateChange[];
  /** Number of `transactions` already sent in deltas. */
  sentTransactions: number;
  /** Number of `classes` already sent in deltas. */
  sentClasses: number;
  /** Sequence number of the next delta; 0 until the first delta is sent. */
  nextSequence: number;
}

/** Creates an open block without content. */
export function emptyBlock(place: BlockPlace, info: BlockInfo, executor: BlockExecutor): OpenBlock {
  return {
    place,
    info,
    executor,
    transactions: [],
    executions: [],
    receipts: [],
    classes: [],
    changes: [],
    sentTransactions: 0,
    sentClasses: 0,
    nextSequence: 0,
  };
}

/** Adds an included transaction with its receipt. */
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
 * Re-executes the content of `from` in `into`, an empty block at the same position. Results of admission are
 * not reused, since they may depend on what differs.
 *
 * @returns whether everything was included; otherwise `into` must be discarded
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
  for (const change of from.changes) addChange(into, change);
  return true;
}

/**
 * Changes the state after the block's transactions.
 *
 * @throws {OriginError} when a value of the fork's origin is missing; the block is then unchanged
 */
export function addChange(open: OpenBlock, change: StateChange): void {
  open.classes.push(...open.executor.change((state) => applyChange(state, change)));
  open.changes.push(change);
}

/** Returns the number of values that changes outside of transactions set. */
export function changedValues({ changes }: Pick<OpenBlock, "changes">): number {
  return changes.reduce((sum, change) => sum + changeSize(change), 0);
}

const NO_CLASSES: readonly EncodedClass[] = [];

/** Returns the changes of a block since its previous delta. */
export function takeDelta(open: OpenBlock, sealed: boolean): PendingDelta {
  const sequence = open.nextSequence++;
  const { sentTransactions: from, sentClasses } = open;
  open.sentTransactions = open.transactions.length;
  open.sentClasses = open.classes.length;
  return {
    blockNumber: open.info.number,
    sequence,
    info: sequence === 0 ? open.info : null,
    transactions: open.transactions.slice(from),
    receipts: open.receipts.slice(from),
    diff: open.executor.takeDelta(),
    classes: sentClasses === open.sentClasses ? NO_CLASSES : open.classes.slice(sentClasses),
    sealed,
  };
}
