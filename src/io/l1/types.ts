import type { Felt } from "#base/primitives/index.ts";

/** Address on L1 as a number below 2^160. */
export type L1Address = bigint;

/** Reference to an L1 block; the hash has 32 bytes. */
export interface L1BlockId {
  readonly number: number;
  readonly hash: bigint;
}

/** L1 block header. */
export interface L1Block extends L1BlockId {
  readonly parentHash: bigint;
  /** Unix seconds. */
  readonly timestamp: number;
}

/** Required finality of an L1 block: a number of blocks above it (0 for the newest), or a consensus tag. */
export type L1Finality = number | "safe" | "finalized";

/** Position of a core contract log on L1. */
export interface L1LogPlace {
  readonly l1Block: L1BlockId;
  /** Position in its block. */
  readonly logIndex: number;
  readonly transactionHash: bigint;
}

/** `LogStateUpdate`: a state update of the core contract. */
export interface StateUpdateLog extends L1LogPlace, CoreState {
  readonly kind: "state_update";
}

/** `LogMessageToL2` as sent: its values are any 256-bit numbers, felts or not. */
export interface MessageLog extends L1LogPlace {
  readonly kind: "message_to_l2";
  readonly fromAddress: L1Address;
  readonly toAddress: bigint;
  readonly selector: bigint;
  readonly payload: readonly bigint[];
  readonly nonce: bigint;
  readonly feeWei: bigint;
}

/** Core contract log that a node follows. */
export type CoreContractLog = StateUpdateLog | MessageLog;

/** Chain state recorded by the core contract. */
export interface CoreState {
  readonly stateRoot: Felt;
  /** -1 before the first update. */
  readonly blockNumber: bigint;
  readonly blockHash: Felt;
}

/** Core contract data reported by one endpoint at one L1 block. */
export type StateReport = {
  /** Endpoint name without credentials. */
  readonly endpoint: string;
} & (
  | (ReportedUpdates & {
      readonly kind: "read";
      /** Core contract state after the block. */
      readonly core: CoreState;
    })
  /** The state after the block is pruned; reports the newest state instead. */
  | (ReportedUpdates & {
      readonly kind: "pruned";
      readonly newest: CoreState;
      readonly newestL1Block: number;
    })
  /** No response, or no block with that number. */
  | { readonly kind: "silent"; readonly reason: string }
);

/** State updates reported by one endpoint. */
export interface ReportedUpdates {
  readonly l1BlockHash: bigint;
  /** Updates logged in the block, in order. */
  readonly updates: readonly StateUpdateLog[];
  /** Updates in the receipts of the requested transactions. */
  readonly named: readonly StateUpdateLog[];
}

/** Status of a message to L2 at the core contract. */
export interface MessageState {
  /** `l1ToL2Messages`: fee in wei plus 1; 0 if it was never sent, was consumed, or is canceled. */
  readonly feePlusOne: bigint;
  /** Unix seconds at which its cancellation was started; 0 if it was not. */
  readonly cancellationStarted: bigint;
}

/** L1 gas prices in wei per gas, reported by one endpoint. */
export interface FeeQuote {
  /** Endpoint name without credentials. */
  readonly endpoint: string;
  /** `baseFeePerGas` of the next block, or `eth_gasPrice` without fee history. */
  readonly l1GasWei: bigint;
  /** Mean of `baseFeePerBlobGas`, or `eth_blobBaseFee`; `undefined` if L1 has no blobs. */
  readonly l1DataGasWei: bigint | undefined;
}

/** Consistent view of L1 at one block. */
export interface L1View {
  /** Newest block with the required finality; reads use the state after it. */
  readonly block: L1Block;
  /** Newest block of the chain. */
  readonly head: L1Block;
  /**
   * Returns logs of the core contract from block `from` through `to`, at most {@link block}, in order. If two
   * or more endpoints respond, two of them have agreed on the logs.
   */
  logs(from: number, to: number): Promise<readonly CoreContractLog[]>;
  /** Returns the hash of a block of this view's chain; `undefined` if there is no such block. */
  hashOf(blockNumber: number): Promise<bigint | undefined>;
  coreState(): Promise<CoreState>;
  /** `l1ToL2MessageNonce`: nonce of the next message. */
  nextMessageNonce(): Promise<bigint>;
  /** Returns the status of messages by their hashes (Keccak-256), in the given order. */
  messages(hashes: readonly bigint[]): Promise<readonly MessageState[]>;
}

/**
 * L1 as seen through several endpoints; the source selects the endpoint for each request. Every method throws
 * {@link L1Error} when no endpoint gives a usable response.
 */
export interface L1Source {
  /**
   * Runs `read` at the newest block with the given finality. The result is returned only if that block is
   * still part of the chain afterwards.
   */
  view<T>(finality: L1Finality, read: (view: L1View) => Promise<T>): Promise<T>;
  /** Number of the newest block before a time; `undefined` if none. */
  blockBefore(unixSeconds: number): Promise<number | undefined>;
  /**
   * Returns each configured endpoint's report of the core contract at one L1 block, without comparing them. A
   * failing endpoint never makes it fail.
   *
   * @param transactions - L1 transactions whose receipts are read as well
   */
  stateReports(
    l1BlockNumber: number,
    transactions: readonly bigint[],
  ): Promise<readonly StateReport[]>;
  /** Returns the prices of the preferred endpoint. */
  feeQuote(): Promise<FeeQuote>;
  /** Returns the prices of a different endpoint; `undefined` if no other responds. */
  otherFeeQuote(endpoint: string): Promise<FeeQuote | undefined>;
}

/**
 * State of an L1 endpoint in the pool, for metrics: not tried yet, one of the two preferred ones,
 * working but not needed (`standing by`), or avoided after a failure (`left`).
 */
export type L1EndpointState = "unknown" | "in use" | "standing by" | "left";
