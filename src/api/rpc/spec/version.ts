import type {
  BlockHeader,
  BlockInfo,
  CasmClass,
  ContractClass,
  DeployAccountV1,
  DeployAccountV3,
  HashedTransaction,
  InvokeV1,
  InvokeV3,
  PackedLegacyClass,
  Receipt,
  SierraClass,
  StateDiff,
} from "#protocol/chain/index.ts";
import type { Declaration } from "#services/admission/index.ts";
import type { Decoder, JsonValue } from "#base/codec/index.ts";
import type {
  ContractCall,
  FeeEstimate,
  Simulation,
  TransactionTrace,
} from "#engine/execution/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { ReadSet } from "#engine/state/index.ts";
import type { BlockId } from "../block-id.ts";
import type { BlockReference, SyncStatus } from "../context.ts";
import type { RpcFault } from "../errors.ts";
import type {
  ContractStorageKeys,
  Encoder,
  LongEncoder,
  EmittedEvent,
  Finality,
  Flags,
  ReceiptAnswer,
  StorageProofAnswer,
  TransactionStatusAnswer,
} from "./answers.ts";
import type { AnswerSchemas } from "./schemas/answers.ts";
import type { SubscriptionSpec } from "./subscriptions.ts";

export type {
  EmittedEvent,
  Encoder,
  Finality,
  Flags,
  ReceiptAnswer,
  TransactionStatusAnswer,
} from "./answers.ts";

/** An error as it goes over the wire (JSON-RPC 2.0, section 5.1). */
export interface RpcErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: JsonValue;
}

/** The head of a block: sealed, or being built. */
export type BlockHead =
  | {
      readonly kind: "sealed";
      readonly finality: "ACCEPTED_ON_L2" | "ACCEPTED_ON_L1";
      readonly header: BlockHeader;
    }
  | {
      readonly kind: "building";
      readonly info: BlockInfo;
      /** Hash of the block before, which is accepted; 0 before block 0. */
      readonly parentHash: Felt;
    };

/** Options of encoded transactions. */
export interface TransactionOptions {
  /** Show the facts of the proof of invoke v3 transactions. */
  readonly proofFacts: boolean;
}

/** A block with the hashes of its transactions. */
export interface BlockWithHashes {
  readonly head: BlockHead;
  readonly hashes: readonly Felt[];
}

/** A block with its transactions. */
export interface BlockWithTransactions {
  readonly head: BlockHead;
  readonly transactions: readonly HashedTransaction[];
  readonly options: TransactionOptions;
}

/** A block with its transactions and their receipts, one for each. */
export interface BlockWithReceipts extends BlockWithTransactions {
  readonly receipts: readonly Receipt[];
}

/** A transaction as an answer. */
export interface TransactionAnswer {
  readonly transaction: HashedTransaction;
  readonly options: TransactionOptions;
}

/** What a block changed; roots and hash are absent while it is being built. */
export interface StateUpdateAnswer {
  readonly blockHash?: Felt;
  readonly newRoot?: Felt;
  readonly oldRoot?: Felt;
  readonly stateDiff: StateDiff;
}

/** Where a message from L1 stands. */
export type MessageStatusAnswer =
  /** The transaction that consumed it. */
  | { readonly kind: "executed"; readonly receipt: Receipt; readonly finality: Finality }
  /** L1 has it, and no block yet; the hash of the transaction that is going to consume it. */
  | { readonly kind: "received"; readonly transactionHash: Felt };

/** A storage value; `lastUpdateBlock` only when it was asked for. */
export interface StorageAnswer {
  readonly value: Felt;
  readonly lastUpdateBlock?: number;
}

/**
 * A transaction as wallets send it. `proof` is the base64 text that may come with an invoke; a
 * version that this specification does not take is told as text.
 */
export type Broadcasted<T> =
  | { readonly kind: "unsupported"; readonly version: string }
  | {
      readonly kind: "transaction";
      readonly transaction: T;
      readonly onlyQuery: boolean;
      readonly proof?: string;
    };

/** A declare transaction with its class: the class hash is not known yet. */
export interface DeclareRequest {
  readonly type: "DECLARE";
  readonly transaction: Declaration["transaction"];
  readonly contractClass: SierraClass | PackedLegacyClass;
}

/** Any transaction to estimate or simulate. */
export type BroadcastedAny = Broadcasted<
  InvokeV1 | InvokeV3 | DeployAccountV1 | DeployAccountV3 | DeclareRequest
>;

/** A message from L1 whose fee is estimated. */
export interface MessageFromL1 {
  readonly fromAddress: Felt;
  readonly toAddress: Felt;
  readonly entryPointSelector: Felt;
  readonly payload: readonly Felt[];
}

/** Which events are asked for, and which page of them. */
export interface EventFilter {
  readonly fromBlock?: BlockId;
  readonly toBlock?: BlockId;
  /** Empty: any emitter. */
  readonly addresses: readonly Felt[];
  /** One set of alternatives per key position; an empty set matches any key. */
  readonly keys: readonly (readonly Felt[])[];
  readonly chunkSize: number;
  readonly continuationToken?: string;
}

/** A page of events; with the token of the next one when this is not the last. */
export interface EventsPage {
  readonly events: readonly EmittedEvent[];
  readonly continuationToken?: string;
}

/** Simulated transactions; `initialReads` only when they were asked for. */
export interface SimulationsAnswer {
  readonly simulations: readonly Simulation[];
  readonly initialReads?: ReadSet;
}

/** Traces of a block's transactions. */
export interface BlockTracesAnswer {
  /** An array, or made one after the other while they are written. */
  readonly traces: Iterable<TransactionTrace>;
  /** Set when the client asked for them; called after the traces are written. */
  readonly initialReads?: () => ReadSet;
}

/**
 * One version of the Starknet JSON-RPC specification: how parameters are read and answers written.
 * Methods work on domain objects and know no versions.
 */
export interface SpecVersion {
  /** The semver text that `specVersion` answers. */
  readonly version: string;

  readonly felt: Decoder<Felt>;
  /** Contracts that a state update is asked for. */
  readonly updatedContracts: Decoder<readonly Felt[] | undefined> | undefined;
  /** Hash of a transaction on L1: 256 bits. */
  readonly l1TransactionHash: Decoder<bigint>;
  readonly storageKey: Decoder<Felt>;
  readonly blockId: Decoder<BlockId>;
  /** The block id of traces, in some versions without the block being built. */
  readonly sealedBlockId: Decoder<BlockId>;
  /** The block id of proofs: without the block being built, in every version. */
  readonly provenBlockId: Decoder<BlockId>;
  readonly provenClasses: Decoder<readonly Felt[]>;
  readonly provenContracts: Decoder<readonly Felt[]>;
  readonly provenStorage: Decoder<readonly ContractStorageKeys[]>;
  readonly functionCall: Decoder<ContractCall>;
  readonly messageFromL1: Decoder<MessageFromL1>;
  readonly eventFilter: Decoder<EventFilter>;
  readonly invoke: Decoder<Broadcasted<InvokeV1 | InvokeV3>>;
  readonly deployAccount: Decoder<Broadcasted<DeployAccountV1 | DeployAccountV3>>;
  readonly declare: Decoder<Broadcasted<DeclareRequest>>;
  readonly anyTransactions: Decoder<readonly BroadcastedAny[]>;
  /** `undefined`, as other members may be: parameters that the version does not have. */
  readonly transactionFlags: Decoder<Flags<"INCLUDE_PROOF_FACTS">> | undefined;
  readonly storageFlags: Decoder<Flags<"INCLUDE_LAST_UPDATE_BLOCK">> | undefined;
  readonly estimateFlags: Decoder<Flags<"SKIP_VALIDATE">>;
  readonly simulationFlags: Decoder<
    Flags<"SKIP_VALIDATE" | "SKIP_FEE_CHARGE" | "RETURN_INITIAL_READS">
  >;
  readonly traceFlags: Decoder<Flags<"RETURN_INITIAL_READS">> | undefined;

  readonly blockWithHashes: Encoder<BlockWithHashes>;
  readonly blockWithTransactions: Encoder<BlockWithTransactions>;
  readonly blockWithReceipts: Encoder<BlockWithReceipts>;
  readonly transaction: Encoder<TransactionAnswer>;
  readonly receipt: Encoder<ReceiptAnswer>;
  readonly transactionStatus: Encoder<TransactionStatusAnswer>;
  readonly messageStatuses: Encoder<readonly MessageStatusAnswer[]>;
  readonly stateUpdate: Encoder<StateUpdateAnswer>;
  readonly contractClass: Encoder<ContractClass>;
  readonly compiledClass: Encoder<CasmClass>;
  readonly feeEstimates: Encoder<readonly FeeEstimate[]>;
  readonly transactionTrace: LongEncoder<TransactionTrace>;
  readonly simulations: LongEncoder<SimulationsAnswer>;
  readonly blockTraces: LongEncoder<BlockTracesAnswer>;
  readonly messageFee: Encoder<FeeEstimate>;
  readonly eventsPage: Encoder<EventsPage>;
  readonly storage: Encoder<StorageAnswer>;
  readonly storageProof: Encoder<StorageProofAnswer>;
  readonly hashAndNumber: Encoder<BlockReference>;
  readonly syncStatus: Encoder<SyncStatus | false>;

  /** What the encoders above write. */
  readonly schemas: AnswerSchemas;

  /** What WebSocket connections can subscribe to; `undefined` where the version has none. */
  readonly subscriptions: SubscriptionSpec | undefined;

  /** @param method - that ends with the fault, without prefix */
  readonly error: (fault: RpcFault, method: string) => RpcErrorObject;
}
