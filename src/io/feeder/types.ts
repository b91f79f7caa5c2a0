import type { Felt } from "#base/primitives/index.ts";
import type { BlockInfo, HashedTransaction, Receipt, StateDiff } from "#protocol/chain/index.ts";

/** What a gateway says of a block that is part of the chain; no other word is taken for one. */
export type GatewayBlockStatus = "ACCEPTED_ON_L2" | "ACCEPTED_ON_L1";

/**
 * A header as a gateway tells it; nothing of it is checked but its form. Prices that blocks of an older
 * protocol do not have are 1, a sequencer's address that is not told is 0, a version that is not told the
 * empty text: blocks before 0.9.1.
 */
export interface GatewayHeader extends BlockInfo {
  readonly hash: Felt;
  readonly parentHash: Felt;
  readonly newRoot: Felt;
  readonly status: GatewayBlockStatus;
  /** What gateways leave out of older blocks is `undefined`. */
  readonly transactionCommitment: Felt | undefined;
  readonly eventCommitment: Felt | undefined;
  readonly receiptCommitment: Felt | undefined;
  readonly stateDiffCommitment: Felt | undefined;
  readonly stateDiffLength: number | undefined;
}

/** A block as a gateway tells it: transactions and receipts in block order, one of each. */
export interface GatewayBlock {
  readonly header: GatewayHeader;
  /** With the hashes that the gateway tells. */
  readonly transactions: readonly HashedTransaction[];
  readonly receipts: readonly Receipt[];
}

/** A block by number and hash: the answer to get_block with `headerOnly`. */
export interface GatewayBlockReference {
  readonly number: number;
  readonly hash: Felt;
}

/** What a block changed, as a gateway tells it. */
export interface GatewayStateUpdate {
  readonly blockHash: Felt;
  readonly newRoot: Felt;
  /** 0 for block 0. */
  readonly oldRoot: Felt;
  readonly stateDiff: StateDiff;
}

/** A signature over a block hash. */
export interface GatewaySignature {
  readonly r: Felt;
  readonly s: Felt;
}

/** The answer to get_signature. */
export interface GatewayBlockSignature extends GatewaySignature {
  /** Of the block that is signed, as the gateway tells it. */
  readonly blockHash: Felt;
}

/** The answer to get_state_update with `includeBlock` and `includeSignature`. */
export interface GatewayWholeBlock {
  readonly block: GatewayBlock;
  readonly update: GatewayStateUpdate;
  /** `undefined`: the gateway does not know `includeSignature`; get_signature has it. */
  readonly signature: GatewaySignature | undefined;
}

/** A block that is not accepted yet, or the part of it that was asked for. */
export interface PreConfirmedPart {
  readonly transactions: readonly HashedTransaction[];
  /** `null` for candidates: what is not executed yet. One for each transaction. */
  readonly receipts: readonly (Receipt | null)[];
  /** As {@link receipts}. */
  readonly stateDiffs: readonly (StateDiff | null)[];
}

/** The whole of a block that is not accepted yet. */
export interface PreConfirmedBlock extends PreConfirmedPart {
  readonly info: BlockInfo;
  /** Names this making of the block: built again, it has another one. `undefined`: it is not told. */
  readonly identifier: string | undefined;
}

/** The answer to get_preconfirmed_block with `blockIdentifier` and `knownTransactionCount`. */
export type PreConfirmedAnswer =
  /** There is nothing that whoever asks does not know. */
  | { readonly kind: "unchanged" }
  /** Of the block that is known: what lies behind the known transactions. */
  | ({
      readonly kind: "more";
      readonly identifier: string;
      readonly number: number;
    } & PreConfirmedPart)
  /** Another block than the known one, or none was known. */
  | { readonly kind: "whole"; readonly block: PreConfirmedBlock };

/** The answer to get_transaction_status. */
export interface GatewayTransactionStatus {
  /** `finality_status`. */
  readonly finality: "NOT_RECEIVED" | "RECEIVED" | "ACCEPTED_ON_L2" | "ACCEPTED_ON_L1";
  /** `tx_status`: says more than `finality_status`, REJECTED, CANDIDATE and PRE_CONFIRMED among it. */
  readonly status: string;
  readonly executionStatus: "SUCCEEDED" | "REVERTED" | "REJECTED" | undefined;
  readonly blockHash: Felt | undefined;
  /** Of a rejected transaction. */
  readonly failureReason: string | undefined;
  /** Of a reverted one. */
  readonly revertReason: string | undefined;
}

/** The answer to get_contract_addresses, as far as a follower needs it. */
export interface GatewayContractAddresses {
  /** Address of the core contract on L1. */
  readonly starknet: bigint;
  /** ETH on L2; `undefined` where it is not told. */
  readonly parentFeeToken: Felt | undefined;
  /** STRK on L2. */
  readonly nativeFeeToken: Felt | undefined;
}
