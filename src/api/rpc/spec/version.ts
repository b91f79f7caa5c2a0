import type {
  BlockHeader,
  BlockInfo,
  CasmClass,
  ContractClass,
  DeclareV2,
  DeclareV3,
  DeployAccountV3,
  HashedTransaction,
  InvokeV3,
  Receipt,
  SierraClass,
  StateDiff,
} from "#protocol/chain/index.ts";
import type { Decoder, JsonValue } from "#base/codec/index.ts";
import type { ContractCall, FeeEstimate } from "#engine/execution/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { BlockId } from "../block-id.ts";
import type { BlockReference, SyncStatus } from "../context.ts";
import type { RpcFault } from "../errors.ts";

/** Writes an answer. */
export type Encoder<T> = (answer: T) => JsonValue;

/** An error as it goes over the wire (JSON-RPC 2.0, section 5.1). */
export interface RpcErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: JsonValue;
}

/** How final a block and its transactions are. */
export type Finality = "PRE_CONFIRMED" | "ACCEPTED_ON_L2" | "ACCEPTED_ON_L1";

/** The head of a block: sealed, or being built. */
export type BlockHead =
  | {
      readonly kind: "sealed";
      readonly finality: "ACCEPTED_ON_L2" | "ACCEPTED_ON_L1";
      readonly header: BlockHeader;
    }
  | { readonly kind: "building"; readonly info: BlockInfo };

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

/** A receipt with the block that holds it; `blockHash` is absent while the block is being built. */
export interface ReceiptAnswer {
  readonly transaction: HashedTransaction;
  readonly receipt: Receipt;
  readonly finality: Finality;
  readonly blockNumber: number;
  readonly blockHash?: Felt;
}

/** What a block changed; roots and hash are absent while it is being built. */
export interface StateUpdateAnswer {
  readonly blockHash?: Felt;
  readonly newRoot?: Felt;
  readonly oldRoot?: Felt;
  readonly stateDiff: StateDiff;
}

/** Where a transaction stands. */
export type TransactionStatusAnswer =
  | { readonly kind: "received" }
  | { readonly kind: "executed"; readonly finality: Finality; readonly receipt: Receipt };

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
  readonly transaction: Omit<DeclareV2, "classHash"> | Omit<DeclareV3, "classHash">;
  readonly contractClass: SierraClass;
}

/** Any transaction to estimate or simulate. */
export type BroadcastedAny = Broadcasted<InvokeV3 | DeployAccountV3 | DeclareRequest>;

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

/** The flags that were given. */
export type Flags<N extends string> = readonly N[];

/**
 * One version of the Starknet JSON-RPC specification: how parameters are read and answers written.
 * Methods work on domain objects and know no versions.
 */
export interface SpecVersion {
  /** The semver text that `specVersion` answers. */
  readonly version: string;

  readonly felt: Decoder<Felt>;
  readonly feltList: Decoder<readonly Felt[] | undefined>;
  readonly storageKey: Decoder<Felt>;
  readonly blockId: Decoder<BlockId>;
  /** A block id without the block being built. */
  readonly sealedBlockId: Decoder<BlockId>;
  readonly functionCall: Decoder<ContractCall>;
  readonly messageFromL1: Decoder<MessageFromL1>;
  readonly eventFilter: Decoder<EventFilter>;
  readonly invoke: Decoder<Broadcasted<InvokeV3>>;
  readonly deployAccount: Decoder<Broadcasted<DeployAccountV3>>;
  readonly declare: Decoder<Broadcasted<DeclareRequest>>;
  readonly anyTransactions: Decoder<readonly BroadcastedAny[]>;
  readonly transactionFlags: Decoder<Flags<"INCLUDE_PROOF_FACTS">>;
  readonly storageFlags: Decoder<Flags<"INCLUDE_LAST_UPDATE_BLOCK">>;
  readonly estimateFlags: Decoder<Flags<"SKIP_VALIDATE">>;
  readonly simulationFlags: Decoder<
    Flags<"SKIP_VALIDATE" | "SKIP_FEE_CHARGE" | "RETURN_INITIAL_READS">
  >;
  readonly traceFlags: Decoder<Flags<"RETURN_INITIAL_READS">>;

  readonly blockWithHashes: Encoder<BlockWithHashes>;
  readonly blockWithTransactions: Encoder<BlockWithTransactions>;
  readonly blockWithReceipts: Encoder<BlockWithReceipts>;
  readonly transaction: Encoder<TransactionAnswer>;
  readonly receipt: Encoder<ReceiptAnswer>;
  readonly transactionStatus: Encoder<TransactionStatusAnswer>;
  readonly stateUpdate: Encoder<StateUpdateAnswer>;
  readonly contractClass: Encoder<ContractClass>;
  readonly compiledClass: Encoder<CasmClass>;
  readonly feeEstimates: Encoder<readonly FeeEstimate[]>;
  readonly storage: Encoder<StorageAnswer>;
  readonly hashAndNumber: Encoder<BlockReference>;
  readonly syncStatus: Encoder<SyncStatus | false>;

  readonly error: (fault: RpcFault) => RpcErrorObject;
}
