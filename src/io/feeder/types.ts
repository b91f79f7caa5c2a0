import type { Felt } from "#base/primitives/index.ts";
import type { BlockInfo, HashedTransaction, Receipt, StateDiff } from "#protocol/chain/index.ts";

/** Status of a block that is part of the chain; other statuses are rejected. */
export type GatewayBlockStatus = "ACCEPTED_ON_L2" | "ACCEPTED_ON_L1";

/**
 * Block header reported by a gateway; only its shape is checked. Missing values of older blocks have
 * defaults: prices are 1, the sequencer address is 0, the version is empty (before 0.9.1).
 */
export interface GatewayHeader extends BlockInfo {
  readonly hash: Felt;
  readonly parentHash: Felt;
  readonly newRoot: Felt;
  readonly status: GatewayBlockStatus;
  /** `undefined` where gateways omit it for older blocks, like the following members. */
  readonly transactionCommitment: Felt | undefined;
  readonly eventCommitment: Felt | undefined;
  readonly receiptCommitment: Felt | undefined;
  readonly stateDiffCommitment: Felt | undefined;
  readonly stateDiffLength: number | undefined;
}

/** Block reported by a gateway; transactions and receipts are in block order, one receipt each. */
export interface GatewayBlock {
  readonly header: GatewayHeader;
  /** With the hashes that the gateway reports. */
  readonly transactions: readonly HashedTransaction[];
  readonly receipts: readonly Receipt[];
}

/** Number and hash of a block: response of get_block with `headerOnly`. */
export interface GatewayBlockReference {
  readonly number: number;
  readonly hash: Felt;
}

/** State changes of a block, as reported by a gateway. */
export interface GatewayStateUpdate {
  readonly blockHash: Felt;
  readonly newRoot: Felt;
  /** 0 for block 0. */
  readonly oldRoot: Felt;
  readonly stateDiff: StateDiff;
}

/** Signature of a block hash. */
export interface GatewaySignature {
  readonly r: Felt;
  readonly s: Felt;
}

/** Response of get_signature. */
export interface GatewayBlockSignature extends GatewaySignature {
  /** Hash of the signed block, as reported by the gateway. */
  readonly blockHash: Felt;
}

/** Response of get_state_update with `includeBlock` and `includeSignature`. */
export interface GatewayWholeBlock {
  readonly block: GatewayBlock;
  readonly update: GatewayStateUpdate;
  /** `undefined` if the gateway ignores `includeSignature`; get_signature returns it. */
  readonly signature: GatewaySignature | undefined;
}

/** Unaccepted block, or the requested part of it. */
export interface PreConfirmedPart {
  readonly transactions: readonly HashedTransaction[];
  /** One per transaction; `null` for candidates, which are not executed yet. */
  readonly receipts: readonly (Receipt | null)[];
  /** One per transaction; `null` for candidates. */
  readonly stateDiffs: readonly (StateDiff | null)[];
}

/** Complete unaccepted block. */
export interface PreConfirmedBlock extends PreConfirmedPart {
  readonly info: BlockInfo;
  /** Unique per build of the block; a rebuilt block has another one. `undefined` if not reported. */
  readonly identifier: string | undefined;
}

/** Response of get_preconfirmed_block with `blockIdentifier` and `knownTransactionCount`. */
export type PreConfirmedAnswer =
  /** The client's copy is up to date. */
  | { readonly kind: "unchanged" }
  /** New transactions of the block that the client already has. */
  | ({
      readonly kind: "more";
      readonly identifier: string;
      readonly number: number;
    } & PreConfirmedPart)
  /** A different block, or the client had none. */
  | { readonly kind: "whole"; readonly block: PreConfirmedBlock };

/** Response of get_transaction_status. */
export interface GatewayTransactionStatus {
  /** `finality_status`. */
  readonly finality: "NOT_RECEIVED" | "RECEIVED" | "ACCEPTED_ON_L2" | "ACCEPTED_ON_L1";
  /** `tx_status`: more precise than `finality_status`; also REJECTED, CANDIDATE and PRE_CONFIRMED. */
  readonly status: string;
  readonly executionStatus: "SUCCEEDED" | "REVERTED" | "REJECTED" | undefined;
  readonly blockHash: Felt | undefined;
  /** Present for a rejected transaction. */
  readonly failureReason: string | undefined;
  /** Present for a reverted transaction. */
  readonly revertReason: string | undefined;
}

/** Response of get_contract_addresses, reduced to the members a follower needs. */
export interface GatewayContractAddresses {
  /** Address of the core contract on L1. */
  readonly starknet: bigint;
  /** ETH token on L2; `undefined` if not reported. */
  readonly parentFeeToken: Felt | undefined;
  /** STRK token on L2; `undefined` if not reported. */
  readonly nativeFeeToken: Felt | undefined;
}
