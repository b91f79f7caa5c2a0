import type {
  AccountTransaction,
  BlockInfo,
  ExecutableClass,
  HashedTransaction,
  SierraClass,
} from "#protocol/chain/index.ts";
import type { CallOutcome, ContractCall, EstimateOutcome } from "#engine/execution/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { ChainReader, PendingBlock, StateReader } from "#engine/state/index.ts";
import type { CompileOutcome, Declaration, SubmitOutcome } from "#services/admission/index.ts";

/**
 * What a request may ask of the node. The same table of methods runs on the main thread and in
 * query workers; each gives the parts that it has, and a method whose `runsOn` names another
 * thread never sees them missing.
 */
export interface RpcContext {
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
   * and the one being built. Without it, {@link pending} is all there is.
   */
  unaccepted?(): readonly PendingBlock[];
  /** `false` when not synchronizing: always so on a sequencer. */
  syncStatus(): SyncStatus | false;
  /**
   * Whether the request at hand is to end: its deadline has passed, or the node stops. Query workers
   * only; to be asked every few milliseconds of long work (`checkStopped`).
   */
  isStopped?(): boolean;
  /**
   * A compiled class; query workers only. `undefined`: it is not compiled yet. The request is then
   * answered by a second run, once all classes are compiled that the first one has asked for.
   */
  compiledClass?(request: ClassRequest): KnownOutcome | undefined;
  /** Calls and estimates; query workers only. */
  readonly execution?: ExecutionAccess;
  /** The way into the mempool; main thread only. */
  readonly submit?: TransactionSubmitter;
  /** Transactions that wait to be executed; main thread only. */
  readonly mempool?: MempoolLookup;
  /**
   * Number of the last block up to `blockNumber` that changed a storage variable; `undefined` when
   * none did. Absent when the store does not keep it.
   */
  lastStorageUpdate?(contractAddress: Felt, key: Felt, blockNumber: number): number | undefined;
}

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

/** What became of a class. */
export type KnownOutcome = Exclude<CompileOutcome, { readonly kind: "busy" }>;

/** A transaction to estimate. */
export interface EstimatedTransaction {
  /** The class that a declaration brings. */
  readonly declared?: ExecutableClass;
  readonly transaction: HashedTransaction<AccountTransaction>;
  /** The version carries the query bit: 2^128 + version, in the hash and before the contracts. */
  readonly onlyQuery: boolean;
}

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

/** Hands transactions of users on; on a full node to the sequencer. */
export interface TransactionSubmitter {
  /** Answers once the transaction is stored durably or refused. */
  submit(transaction: AccountTransaction): Promise<SubmitOutcome>;
  /** The same for a declaration, which is compiled before. */
  declare(declaration: Declaration): Promise<SubmitOutcome>;
}

/** Transactions in the mempool. */
export interface MempoolLookup {
  find(transactionHash: Felt): Promise<HashedTransaction | undefined>;
  /** Why a transaction that was received is not going to be included. */
  rejectionOf?(transactionHash: Felt): Promise<string | undefined>;
}

/** Runs methods on the query threads. */
export interface QueryPool {
  /**
   * @param specVersion - as {@link SpecVersion.version}
   * @param method - without prefix
   * @param paramsText - JSON text of the array or object of parameters
   * @returns UTF-8 JSON of `{"result": ...}` or `{"error": ...}`, spliced into the response as is
   */
  run(specVersion: string, method: string, paramsText: string): Promise<Uint8Array>;
}

/** Watches requests: metrics and the log. */
export interface RpcObserver {
  started(method: string): void;
  /** @param errorCode - the code of the error that was answered; `undefined` when `ok` */
  finished(method: string, ok: boolean, seconds: number, errorCode?: number): void;
  /** An error that is not an answer; the caller was told `logId` only. */
  internalError(method: string, logId: string, error: unknown): void;
}
