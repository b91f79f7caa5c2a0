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

/** Transaction to estimate. */
export interface EstimatedTransaction {
  readonly declared?: ExecutableClass;
  readonly transaction: HashedTransaction<AccountTransaction>;
  /** The version carries the query bit (2^128 + version), in the hash and as seen by contracts. */
  readonly onlyQuery: boolean;
}

/** Block whose transactions are executed again for their traces. */
export interface TracedBlock {
  /**
   * Equal for the same block, even after transactions were appended; never equal for two different blocks
   * with the same number.
   */
  readonly id: string;
  readonly info: BlockInfo;
  /** Loads the transactions and their receipts from when the block was made; called on demand. */
  contents(): {
    readonly transactions: readonly HashedTransaction[];
    readonly receipts: readonly Receipt[];
  };
  readonly before: StateReader;
  readonly after: StateReader;
}

/** Traces of a block, in order. */
export interface TracedTransactions {
  readonly kind: "ok";
  readonly traces: readonly TransactionTrace[];
  /** Parts of the previous state that the block has read. */
  readonly initialReads: () => ReadSet;
}

/** Traces of a block that together do not fit into memory: each is created when it is consumed. */
export interface LongTracedTransactions {
  readonly kind: "long";
  /** Ends with the first failure. */
  readonly steps: Iterable<TransactionTrace | TraceFailure>;
  /** Available after the last step. */
  readonly initialReads: () => ReadSet;
}

/** Failure of executing a block for its traces. */
export type TraceFailure =
  /** The transaction at `index` behaves differently than when the block was made. */
  | { readonly kind: "differs"; readonly index: number; readonly reason: string }
  /** The trace of the transaction at `index` exceeds the memory limit. */
  | { readonly kind: "too_large"; readonly index: number }
  /** The execution was cancelled after `done` transactions. */
  | { readonly kind: "cancelled"; readonly done: number };

/** Traces, simulations and message fee estimates. The implementation holds the machine. */
export interface TraceAccess {
  /** Simulates each transaction on the state left by all before it. */
  simulate(
    state: StateReader,
    info: BlockInfo,
    transactions: readonly EstimatedTransaction[],
    options: SimulationOptions,
  ): SimulationOutcome;
  estimateMessageFee(
    state: StateReader,
    info: BlockInfo,
    message: HashedTransaction<L1Handler>,
  ): MessageFeeOutcome;
  traceBlock(block: TracedBlock): TracedTransactions | LongTracedTransactions | TraceFailure;
  /** Traces the transaction at `index`; later ones are not executed. */
  traceOne(
    block: TracedBlock,
    index: number,
  ): { readonly kind: "ok"; readonly trace: TransactionTrace } | TraceFailure;
  /** Sums up the bouncer weights of a block's transactions. */
  weighBlock(
    block: TracedBlock,
  ): { readonly kind: "ok"; readonly weights: BouncerWeights } | TraceFailure;
}
