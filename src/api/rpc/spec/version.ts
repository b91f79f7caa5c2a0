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
import type { OriginTrace } from "./origin-trace.ts";
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

/** Error object on the wire (JSON-RPC 2.0, section 5.1). */
export interface RpcErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: JsonValue;
}

/** Head of a block: sealed, or being built. */
export type BlockHead =
  | {
      readonly kind: "sealed";
      readonly finality: "ACCEPTED_ON_L2" | "ACCEPTED_ON_L1";
      readonly header: BlockHeader;
    }
  | {
      readonly kind: "building";
      readonly info: BlockInfo;
      /** Hash of the previous block, which is accepted; 0 before block 0. */
      readonly parentHash: Felt;
    };

/** Options of encoded transactions. */
export interface TransactionOptions {
  /** Includes the proof facts of invoke v3 transactions. */
  readonly proofFacts: boolean;
}

/** Block with the hashes of its transactions. */
export interface BlockWithHashes {
  readonly head: BlockHead;
  readonly hashes: readonly Felt[];
}

/** Block with its transactions. */
export interface BlockWithTransactions {
  readonly head: BlockHead;
  readonly transactions: readonly HashedTransaction[];
  readonly options: TransactionOptions;
}

/** Block with its transactions and one receipt for each. */
export interface BlockWithReceipts extends BlockWithTransactions {
  readonly receipts: readonly Receipt[];
}

/** Result of methods that return a transaction. */
export interface TransactionAnswer {
  readonly transaction: HashedTransaction;
  readonly options: TransactionOptions;
}

/** State changes of a block; roots and hash are absent while it is being built. */
export interface StateUpdateAnswer {
  readonly blockHash?: Felt;
  readonly newRoot?: Felt;
  readonly oldRoot?: Felt;
  readonly stateDiff: StateDiff;
}

/** Status of a message from L1. */
export type MessageStatusAnswer =
  /** Consumed by a transaction. */
  | { readonly kind: "executed"; readonly receipt: Receipt; readonly finality: Finality }
  /** On L1, but in no block yet; `transactionHash` is the transaction that will consume it. */
  | { readonly kind: "received"; readonly transactionHash: Felt };

/** Storage value; `lastUpdateBlock` only on request. */
export interface StorageAnswer {
  readonly value: Felt;
  readonly lastUpdateBlock?: number;
}

/**
 * Transaction as wallets send it. `proof` is base64 text that an invoke may contain. For a transaction
 * version that this specification does not have, `version` is its text.
 */
export type Broadcasted<T> =
  | { readonly kind: "unsupported"; readonly version: string }
  | {
      readonly kind: "transaction";
      readonly transaction: T;
      readonly onlyQuery: boolean;
      readonly proof?: string;
    };

/** Declare transaction with its class: the class hash is not computed yet. */
export interface DeclareRequest {
  readonly type: "DECLARE";
  readonly transaction: Declaration["transaction"];
  readonly contractClass: SierraClass | PackedLegacyClass;
}

/** Any transaction to estimate or simulate. */
export type BroadcastedAny = Broadcasted<
  InvokeV1 | InvokeV3 | DeployAccountV1 | DeployAccountV3 | DeclareRequest
>;

/** Message from L1 whose fee is estimated. */
export interface MessageFromL1 {
  readonly fromAddress: Felt;
  readonly toAddress: Felt;
  readonly entryPointSelector: Felt;
  readonly payload: readonly Felt[];
}

/** Filter for events, with the requested page. */
export interface EventFilter {
  readonly fromBlock?: BlockId;
  readonly toBlock?: BlockId;
  /** Empty for any emitter. */
  readonly addresses: readonly Felt[];
  /** One set of alternatives per key position; an empty set matches any key. */
  readonly keys: readonly (readonly Felt[])[];
  readonly chunkSize: number;
  readonly continuationToken?: string;
}

/** Page of events; contains the token of the next page unless it is the last one. */
export interface EventsPage {
  readonly events: readonly EmittedEvent[];
  readonly continuationToken?: string;
}

/** Simulated transactions; `initialReads` only on request. */
export interface SimulationsAnswer {
  readonly simulations: readonly Simulation[];
  readonly initialReads?: ReadSet;
}

/** Traces of a block's transactions. */
export interface BlockTracesAnswer {
  /** An array, or an iterable that creates each trace while the response is written. */
  readonly traces: Iterable<TransactionTrace>;
  /** Set if the client requested them; called after the traces are written. */
  readonly initialReads?: () => ReadSet;
}

/**
 * One version of the Starknet JSON-RPC specification: its parameter decoders and result encoders. Methods
 * work on domain objects, independent of versions.
 */
export interface SpecVersion {
  /** Semver text that `specVersion` returns. */
  readonly version: string;

  readonly felt: Decoder<Felt>;
  /** Contracts that the requested state update is limited to. */
  readonly updatedContracts: Decoder<readonly Felt[] | undefined> | undefined;
  /** Hash of a transaction on L1: 256 bits. */
  readonly l1TransactionHash: Decoder<bigint>;
  readonly storageKey: Decoder<Felt>;
  readonly blockId: Decoder<BlockId>;
  /** Block id of traces; some versions exclude the block being built. */
  readonly sealedBlockId: Decoder<BlockId>;
  /** Block id of proofs: every version excludes the block being built. */
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
  /** `undefined`, here and in other members, if the version does not have the parameter. */
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
  /** Encodes a trace of a fork's origin. */
  readonly originTrace: Encoder<OriginTrace>;
  readonly simulations: LongEncoder<SimulationsAnswer>;
  readonly blockTraces: LongEncoder<BlockTracesAnswer>;
  readonly messageFee: Encoder<FeeEstimate>;
  readonly eventsPage: Encoder<EventsPage>;
  readonly storage: Encoder<StorageAnswer>;
  readonly storageProof: Encoder<StorageProofAnswer>;
  readonly hashAndNumber: Encoder<BlockReference>;
  readonly syncStatus: Encoder<SyncStatus | false>;

  /** Schemas of the encoders' output. */
  readonly schemas: AnswerSchemas;

  /** Subscriptions on WebSocket connections; `undefined` if the version has none. */
  readonly subscriptions: SubscriptionSpec | undefined;

  /** @param method - method that throws the fault, without prefix */
  readonly error: (fault: RpcFault, method: string) => RpcErrorObject;
}
