import type { Felt } from "#base/primitives/index.ts";
import type { Event, Receipt } from "./receipt.ts";
import type { StateDiff } from "./state-diff.ts";
import type { EncodedTransaction, HashedTransaction } from "./transaction.ts";

/** Price of one unit of a resource in both fee units; both are u128 and at least 1. */
export interface ResourcePrice {
  readonly wei: bigint;
  readonly fri: bigint;
}

/** Prices in force for a block. */
export interface GasPrices {
  readonly l1Gas: ResourcePrice;
  readonly l1DataGas: ResourcePrice;
  readonly l2Gas: ResourcePrice;
}

/** Where the state diff is published on L1. */
export type L1DaMode = "BLOB" | "CALLDATA";

/** Block properties that are fixed before its transactions run. `timestamp` is in Unix seconds. */
export interface BlockInfo {
  readonly number: number;
  readonly timestamp: number;
  readonly sequencerAddress: Felt;
  readonly gasPrices: GasPrices;
  readonly l1DaMode: L1DaMode;
  /** Starknet protocol version, for example `0.14.4`. */
  readonly protocolVersion: string;
}

/** The five commitments of a header and the counts that belong to them. */
export interface BlockCommitments {
  readonly transactionCommitment: Felt;
  readonly eventCommitment: Felt;
  readonly receiptCommitment: Felt;
  readonly stateDiffCommitment: Felt;
  readonly transactionCount: number;
  readonly eventCount: number;
  readonly stateDiffLength: number;
}

/** Sealed header. `newRoot` is the state root after the block; block 0 has `parentHash` 0. */
export interface BlockHeader extends BlockInfo, BlockCommitments {
  readonly hash: Felt;
  readonly parentHash: Felt;
  readonly newRoot: Felt;
}

/**
 * Contents of a block: transactions and receipts in block order, in arrays of the same length, and
 * the state diff.
 */
export interface BlockBody {
  readonly transactions: readonly HashedTransaction[];
  readonly receipts: readonly Receipt[];
  readonly stateDiff: StateDiff;
}

/** Complete block: header, body and the sequencer's signature over its hash. */
export interface SealedBlock extends BlockBody {
  readonly transactions: readonly EncodedTransaction[];
  readonly header: BlockHeader;
  readonly signature: { readonly r: Felt; readonly s: Felt };
}

/** Event with the hash of the transaction that emitted it, for commitments and queries. */
export interface BlockEvent {
  readonly transactionHash: Felt;
  readonly event: Event;
}
