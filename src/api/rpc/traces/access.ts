import type {
  AccountTransaction,
  BlockInfo,
  ExecutableClass,
  HashedTransaction,
  L1Handler,
  Receipt,
} from "#protocol/chain/index.ts";
import type {
  BouncerWeights,
  MessageFeeOutcome,
  SimulationOptions,
  SimulationOutcome,
  TransactionTrace,
} from "#engine/execution/index.ts";
import type { ReadSet, StateReader } from "#engine/state/index.ts";

/** A transaction to estimate. */
export interface EstimatedTransaction {
  /** The class that a declaration brings. */
  readonly declared?: ExecutableClass;
  readonly transaction: HashedTransaction<AccountTransaction>;
  /** The version carries the query bit: 2^128 + version, in the hash and before the contracts. */
  readonly onlyQuery: boolean;
}

/** A block whose transactions are executed again for their traces. */
export interface TracedBlock {
  /**
   * The same for the same block, whatever was added at its end; never the same for two blocks at one
   * number.
   */
  readonly id: string;
  readonly info: BlockInfo;
  /** Its transactions and what each gave when the block was made; to be read when they are needed. */
  contents(): {
    readonly transactions: readonly HashedTransaction[];
    readonly receipts: readonly Receipt[];
  };
  readonly before: StateReader;
  /** State after the block. */
  readonly after: StateReader;
}

/** Traces of a block, in order. */
export interface TracedTransactions {
  readonly kind: "ok";
  readonly traces: readonly TransactionTrace[];
  /** What the block has read of the state before it. */
  readonly initialReads: () => ReadSet;
}

/** The same where they are too large to be there together: each is made when it is taken. */
export interface LongTracedTransactions {
  readonly kind: "long";
  /** Ends with the first failure. */
  readonly steps: Iterable<TransactionTrace | TraceFailure>;
  /** For use after the last step. */
  readonly initialReads: () => ReadSet;
}

/** How the execution of a block for its traces ended. */
export type TraceFailure =
  /** The transaction at `index` does not do what it did when the block was made. */
  | { readonly kind: "differs"; readonly index: number; readonly reason: string }
  /** The trace of the transaction at `index` takes more memory than there is for it. */
  | { readonly kind: "too_large"; readonly index: number }
  /** It was stopped when `done` transactions were executed. */
  | { readonly kind: "cancelled"; readonly done: number };

/** Traces, simulations and estimates for messages. The implementation holds the machine. */
export interface TraceAccess {
  /** Simulates each transaction on the state that all before it leave. */
  simulate(
    state: StateReader,
    info: BlockInfo,
    transactions: readonly EstimatedTransaction[],
    options: SimulationOptions,
  ): SimulationOutcome;
  /** Estimates the fee of a message from L1. */
  estimateMessageFee(
    state: StateReader,
    info: BlockInfo,
    message: HashedTransaction<L1Handler>,
  ): MessageFeeOutcome;
  /** Traces all transactions of a block. */
  traceBlock(block: TracedBlock): TracedTransactions | LongTracedTransactions | TraceFailure;
  /** Traces the transaction at `index`; those behind it are not executed. */
  traceOne(
    block: TracedBlock,
    index: number,
  ): { readonly kind: "ok"; readonly trace: TransactionTrace } | TraceFailure;
  /** Adds up what the transactions of a block weigh. */
  weighBlock(
    block: TracedBlock,
  ): { readonly kind: "ok"; readonly weights: BouncerWeights } | TraceFailure;
}
