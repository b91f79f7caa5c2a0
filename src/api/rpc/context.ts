import type { AnswerStream } from "./answer-stream.ts";
import type { BlockInfo, HashedTransaction, SierraClass } from "#protocol/chain/index.ts";
import type { CallOutcome, ContractCall, EstimateOutcome } from "#engine/execution/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { Caller } from "./limits/caller.ts";
import type { MethodLimits } from "./limits/method-limits.ts";
import type { ChainReader, PendingBlock, StateReader } from "#engine/state/index.ts";
import type { TransactionSubmitter } from "./transaction-submitter.ts";
import type { EstimatedTransaction, TraceAccess } from "./traces/access.ts";
import type { WsObserver } from "./ws/observer.ts";
import type { CompileOutcome, MempoolListing } from "#services/admission/index.ts";

/**
 * What every method works with, wherever it runs: one chain, as the thread sees it.
 *
 * A method's `runsOn` chooses what it has besides: {@link MainContext}, {@link QueryContext} or
 * {@link AdmissionContext}. Methods for developers, for operators and for subscriptions have contexts of
 * their own, which only servers with these methods give.
 */
export interface ChainContext {
  /** The chain id as a short string felt. */
  readonly chainId: Felt;
  readonly chain: ChainReader;
  /**
   * The block being built as it stands now, fixed for the request; while none is open, the empty one
   * that would be opened. `undefined` when nothing is known of it.
   */
  pending(): PendingBlock | undefined;
  /**
   * All blocks above the accepted ones, lowest first: those that are sealed and not accepted yet,
   * and the one being built.
   */
  unaccepted(): readonly PendingBlock[];
  readonly limits: MethodLimits;
}

/** Program version and kind of a node. */
export interface NodeIdentity {
  /** Version of the program. */
  readonly version: string;
  /** `development` and `sequencer` make their own blocks; `full` follows another node. */
  readonly kind: "development" | "sequencer" | "full";
}

/** Contracts that a chain is configured with. */
export interface ChainContracts {
  /** On L1; 0: none yet. */
  readonly coreContract: bigint;
  readonly nativeFeeToken: Felt;
  readonly parentFeeToken: Felt;
}

/** What methods on the main thread work with: point reads, the mempool, and what L1 has sent. */
export interface MainContext extends ChainContext {
  readonly node: NodeIdentity;
  readonly contracts: ChainContracts;
  /** Messages from L1 that count there, as far as the node follows it. */
  readonly l1Messages: L1MessageLookup;
  /** `false` when not synchronizing: always so on a sequencer. */
  syncStatus(): SyncStatus | false;
  /** Transactions that wait for a block. */
  readonly mempool: MempoolLookup;
  /** Returns the oldest waiting transactions, at most `limit`, and the number of all. */
  waiting(limit: number): Promise<MempoolListing>;
}

/** What methods on a query thread work with: long reads, and execution. */
export interface QueryContext extends ChainContext {
  /**
   * Whether the request at hand is to end: its deadline has passed, or the node stops. To be asked every
   * few milliseconds of long work (`checkStopped`).
   */
  isStopped(): boolean;
  /** What declarations are estimated with. */
  readonly declares: DeclareAccess;
  /** Calls and estimates. */
  readonly execution: ExecutionAccess;
  /** Traces and what is executed for them. */
  readonly tracing: TraceAccess;
}

/** What methods work with that hand transactions to admission; they decode them on the main thread. */
export interface AdmissionContext extends ChainContext {
  /** The way into the mempool. */
  readonly submit: TransactionSubmitter;
}

/** What the thread that requests arrive at has for the methods of the specification. */
export type ServerContext = MainContext & AdmissionContext;

/** Progress of a synchronizing node. */
export interface SyncStatus {
  readonly startingBlock: BlockReference;
  readonly currentBlock: BlockReference;
  readonly highestBlock: BlockReference;
}

/** A block by number and hash. */
export interface BlockReference {
  readonly number: number;
  readonly hash: Felt;
}

/** A class that a method needs compiled. */
export interface ClassRequest {
  /** In whose name; of an estimate nobody has to show that it is the sender. */
  readonly sender: Felt;
  readonly classHash: Felt;
  readonly contractClass: SierraClass;
}

/** What declarations are estimated and simulated with. */
export interface DeclareAccess {
  /** Whether the chain takes declarations with one maximal fee, of the versions 1 and 2. */
  readonly takesMaxFee: boolean;
  /**
   * A compiled class. `undefined`: it is not compiled yet. The request is then answered by a second
   * run, once all classes are compiled that the first one has asked for.
   */
  compiledClass(request: ClassRequest): KnownOutcome | undefined;
}

/** What became of a class. */
export type KnownOutcome = Exclude<CompileOutcome, { readonly kind: "busy" }>;

/** Execution on a given state. The implementation holds the machine and the protocol's constants. */
export interface ExecutionAccess {
  /** Calls a function on `state` in the environment of block `info`. */
  call(state: StateReader, info: BlockInfo, call: ContractCall): CallOutcome;
  /** Estimates each transaction on the state that all before it leave. */
  estimateFee(
    state: StateReader,
    info: BlockInfo,
    transactions: readonly EstimatedTransaction[],
    options: { readonly validate: boolean },
  ): EstimateOutcome;
}

/** A transaction that was received and is not in a block. */
export interface WaitingTransaction extends HashedTransaction {
  /** It was handed to the executor and is not executed yet. */
  readonly isCandidate: boolean;
}

/** A transaction that another node has received, or a message that L1 has, as far as it is known here. */
export interface ReceivedElsewhere {
  readonly hash: Felt;
  /** It is not told. */
  readonly transaction: undefined;
  readonly isCandidate: boolean;
}

/**
 * Transactions in the mempool; on a full node those of the sequencer's that are asked after. And messages
 * from L1 that wait for a block, where L1 is followed.
 */
export interface MempoolLookup {
  find(transactionHash: Felt): Promise<WaitingTransaction | ReceivedElsewhere | undefined>;
  /** Why a transaction that was received is not going to be included. */
  rejectionOf(transactionHash: Felt): Promise<string | undefined>;
}

/** A message from L1 and the L1 handler transaction that is for it. */
export interface L1Message {
  readonly nonce: bigint;
  readonly transactionHash: Felt;
  /** No block had it when L1 was looked at, and nothing keeps it from being executed. */
  readonly isWaiting: boolean;
}

/** Messages that L1 has; in blocks or not. */
export interface L1MessageLookup {
  /** Those that a transaction on L1 sent, in its order; none when nothing is known of it. */
  ofL1Transaction(l1TransactionHash: bigint): readonly L1Message[];
  /** Whether there is one with this L1 handler transaction that was in no block when L1 was looked at. */
  isWaiting(transactionHash: Felt): boolean;
}

/** Of a node that does not follow L1. */
export const NO_L1_MESSAGES: L1MessageLookup = {
  ofL1Transaction: () => [],
  isWaiting: () => false,
};

/** Takes what follows behind the first bytes of a long answer. */
export type TakeRest = (rest: AnswerStream) => void;

/** Runs methods on the query threads. */
export interface QueryPool {
  /**
   * @param specVersion - as {@link SpecVersion.version}
   * @param method - without prefix
   * @param paramsText - JSON text of the array or object of parameters
   * @param caller - who waits for its turn; the method is not begun, or ended, when it has left
   * @param takeRest - called with the rest of a long answer, before the promise settles with its first
   *   bytes. `undefined`: a long answer is an error
   * @returns UTF-8 JSON of `{"result": ...}` or `{"error": ...}`, spliced into the response as is
   */
  run(
    specVersion: string,
    method: string,
    paramsText: string,
    caller: Caller,
    takeRest?: TakeRest,
  ): Promise<Uint8Array>;
}

/** Watches requests: metrics and the log. */
export interface RpcObserver {
  started(method: string): void;
  /** @param errorCode - the code of the error that was answered; `undefined` when `ok` */
  finished(method: string, ok: boolean, seconds: number, errorCode: number | undefined): void;
  /** An error that is not an answer; the caller was told `logId` only. */
  internalError(method: string, logId: string, error: unknown): void;
}

/** Watches requests over WebSocket, and their connections. */
export interface WsRpcObserver extends RpcObserver {
  readonly webSockets: WsObserver;
}
