import type { AnswerStream } from "./answer-stream.ts";
import type { BlockInfo, HashedTransaction, SierraClass } from "#protocol/chain/index.ts";
import type { CallOutcome, ContractCall, EstimateOutcome } from "#engine/execution/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { OriginChannel, OriginQuery } from "#io/origin/index.ts";
import type { Caller } from "./limits/caller.ts";
import type { Client } from "./limits/fair-queue.ts";
import type { MethodLimits } from "./limits/method-limits.ts";
import type { ChainReader, PendingBlock, StateReader } from "#engine/state/index.ts";
import type { TransactionSubmitter } from "./transaction-submitter.ts";
import type { EstimatedTransaction, TraceAccess } from "./traces/access.ts";
import type { WsObserver } from "./ws/observer.ts";
import type { CompileOutcome, MempoolListing } from "#services/admission/index.ts";

/**
 * Base context of every method: one chain, as the method's thread sees it.
 *
 * A method's `runsOn` selects its full context: {@link MainContext}, {@link QueryContext} or
 * {@link AdmissionContext}. Methods for developers, operators and subscriptions have separate contexts, which
 * only servers with these methods provide.
 */
export interface ChainContext {
  /** Chain id as a short-string felt. */
  readonly chainId: Felt;
  readonly chain: ChainReader;
  /**
   * Snapshot of the block being built, fixed for the request; while none is open, the empty one that would be
   * opened. `undefined` if nothing is known about it.
   */
  pending(): PendingBlock | undefined;
  /**
   * All blocks above the accepted ones, lowest first: sealed blocks that are not accepted yet, and the one
   * being built.
   */
  unaccepted(): readonly PendingBlock[];
  /** Origin of the chain, if it is a fork. */
  readonly fork: ForkOrigin | null;
  readonly limits: MethodLimits;
}

/**
 * Origin of a forked chain, for what {@link ChainReader} does not have. Every method throws
 * {@link OriginError}; on a thread that does not wait, {@link OriginMissing} until the values are fetched.
 */
export interface ForkOrigin extends OriginChannel {
  /** Number of the block that the chain continues. */
  readonly forkBlock: number;
  /** Number of the newest block up to the fork block that is accepted on L1; `undefined` if none is. */
  l1AcceptedNumber(): number | undefined;
}

/** Origin of a forked chain on the main thread, which never waits for it. */
export interface FetchedOrigin extends ForkOrigin {
  /**
   * Fetches values that an {@link OriginMissing} names, so that the work can be repeated.
   *
   * @param client - clients take turns
   * @param endsAtMs - deadline, as {@link callEndsAtMs} returns it
   * @throws {OriginError} when the origin does not return them in time
   */
  fetch(queries: readonly OriginQuery[], client: Client, endsAtMs: number): Promise<void>;
  /** Deadline of all fetches together of a call that begins now, in milliseconds of the node's timer. */
  callEndsAtMs(): number;
}

/** Program version and kind of a node. */
export interface NodeIdentity {
  readonly version: string;
  /** `development` and `sequencer` produce their own blocks; `full` follows another node. */
  readonly kind: "development" | "sequencer" | "full";
}

/** Contracts that a chain is configured with. */
export interface ChainContracts {
  /** Core contract on L1; 0 if not deployed yet. */
  readonly coreContract: bigint;
  readonly nativeFeeToken: Felt;
  readonly parentFeeToken: Felt;
}

/** Context of methods on the main thread: point reads, the mempool, and messages from L1. */
export interface MainContext extends ChainContext {
  readonly fork: FetchedOrigin | null;
  readonly node: NodeIdentity;
  readonly contracts: ChainContracts;
  /** Valid messages from L1, up to the L1 block that the node has followed. */
  readonly l1Messages: L1MessageLookup;
  /** `false` when not synchronizing: always so on a sequencer. */
  syncStatus(): SyncStatus | false;
  readonly mempool: MempoolLookup;
  /** Returns the oldest waiting transactions, at most `limit`, and the total number. */
  waiting(limit: number): Promise<MempoolListing>;
}

/** Context of methods on a query thread: long reads, and execution. */
export interface QueryContext extends ChainContext {
  /**
   * Whether the current request must end: its deadline has passed, or the node stops. Long work must check it
   * every few milliseconds (`checkStopped`).
   */
  isStopped(): boolean;
  /** Access for estimating declarations. */
  readonly declares: DeclareAccess;
  readonly execution: ExecutionAccess;
  readonly tracing: TraceAccess;
}

/** Context of methods that submit transactions to admission; the main thread decodes them. */
export interface AdmissionContext extends ChainContext {
  readonly submit: TransactionSubmitter;
}

/** Context of the specification's methods on the thread where requests arrive. */
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

/** Class that a method needs compiled. */
export interface ClassRequest {
  /** Claimed sender; for an estimate it is not authenticated. */
  readonly sender: Felt;
  readonly classHash: Felt;
  readonly contractClass: SierraClass;
}

/** Access for estimating and simulating declarations. */
export interface DeclareAccess {
  /** Whether the chain accepts declarations with a single max fee, versions 1 and 2. */
  readonly takesMaxFee: boolean;
  /**
   * Returns a compiled class; `undefined` if it is not compiled yet. The request is then run a second time,
   * after all classes that the first run requested are compiled.
   */
  compiledClass(request: ClassRequest): KnownOutcome | undefined;
}

/** Final outcome of compiling a class: compiled, or refused. */
export type KnownOutcome = Exclude<CompileOutcome, { readonly kind: "busy" }>;

/** Execution on a given state. The implementation holds the machine and the protocol's constants. */
export interface ExecutionAccess {
  /** Calls a function on `state` in the environment of block `info`. */
  call(state: StateReader, info: BlockInfo, call: ContractCall): CallOutcome;
  /** Estimates each transaction on the state left by all before it. */
  estimateFee(
    state: StateReader,
    info: BlockInfo,
    transactions: readonly EstimatedTransaction[],
    options: { readonly validate: boolean },
  ): EstimateOutcome;
}

/** Received transaction that is not in a block. */
export interface WaitingTransaction extends HashedTransaction {
  /** Whether the executor has it but has not executed it yet. */
  readonly isCandidate: boolean;
}

/** Transaction received by another node, or a message on L1, of which only the hash is known. */
export interface RemoteTransaction {
  readonly hash: Felt;
  /** `undefined`: only the hash is known. */
  readonly transaction: undefined;
  readonly isCandidate: boolean;
}

/**
 * Transactions in the mempool; a full node looks them up at the sequencer. Includes messages from L1 that
 * wait for a block, if L1 is followed.
 */
export interface MempoolLookup {
  find(transactionHash: Felt): Promise<WaitingTransaction | RemoteTransaction | undefined>;
  /** Returns why a received transaction will not be included; `undefined` if it was not rejected. */
  rejectionOf(transactionHash: Felt): Promise<string | undefined>;
}

/** Message from L1, and its L1 handler transaction. */
export interface L1Message {
  readonly nonce: bigint;
  readonly transactionHash: Felt;
  /** No block contained it when L1 was last polled, and nothing prevents its execution. */
  readonly isWaiting: boolean;
}

/** Messages that exist on L1, whether or not a block contains them. */
export interface L1MessageLookup {
  /** Returns the messages sent by a transaction on L1, in order; empty if the transaction is unknown. */
  ofL1Transaction(l1TransactionHash: bigint): readonly L1Message[];
  /** Whether the message of this L1 handler transaction was in no block when L1 was last polled. */
  isWaiting(transactionHash: Felt): boolean;
}

/** {@link L1MessageLookup} of a node that does not follow L1: it finds no message. */
export const NO_L1_MESSAGES: L1MessageLookup = {
  ofL1Transaction: () => [],
  isWaiting: () => false,
};

/** Callback that receives the rest of a long response, after its first bytes. */
export type TakeRest = (rest: AnswerStream) => void;

/** Runs methods on the query threads. */
export interface QueryPool {
  /**
   * @param specVersion - as {@link SpecVersion.version}
   * @param method - without prefix
   * @param paramsText - JSON text of the array or object of parameters
   * @param caller - client that waits; if it disconnects, the method is not started, or is cancelled
   * @param takeRest - called with the rest of a long response, before the promise settles with its first
   *   bytes. `undefined`: a long response is an error
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

/** Observes requests, for metrics and the log. */
export interface RpcObserver {
  started(method: string): void;
  /** @param errorCode - code of the error in the response; `undefined` if `ok` */
  finished(method: string, ok: boolean, seconds: number, errorCode: number | undefined): void;
  /** Reports an internal error; the response contains only its `logId`. */
  internalError(method: string, logId: string, error: unknown): void;
}

/** Observes requests over WebSocket, and their connections. */
export interface WsRpcObserver extends RpcObserver {
  readonly webSockets: WsObserver;
}
