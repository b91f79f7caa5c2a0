import type { Felt } from "#base/primitives/index.ts";

/** An address of 20 bytes on L1. */
export type L1Address = bigint;

/** Names a block on L1; the hash has 32 bytes. */
export interface L1BlockId {
  readonly number: number;
  readonly hash: bigint;
}

/** A block on L1. */
export interface L1Block extends L1BlockId {
  readonly parentHash: bigint;
  /** Unix seconds. */
  readonly timestamp: number;
}

/** From when on a block counts: so many blocks above it (0: the newest itself), or a tag of L1's consensus. */
export type L1Finality = number | "safe" | "finalized";

/** Where a log of the core contract stands on L1. */
export interface L1LogPlace {
  readonly l1Block: L1BlockId;
  /** Position in its block. */
  readonly logIndex: number;
  readonly transactionHash: bigint;
}

/** `LogStateUpdate`: the core contract has a newer state of the chain. */
export interface StateUpdateLog extends L1LogPlace, CoreState {
  readonly kind: "state_update";
}

/** `LogMessageToL2`, as it was sent: its values are any of 256 bits, felts or not. */
export interface MessageLog extends L1LogPlace {
  readonly kind: "message_to_l2";
  readonly fromAddress: L1Address;
  readonly toAddress: bigint;
  readonly selector: bigint;
  readonly payload: readonly bigint[];
  readonly nonce: bigint;
  readonly feeWei: bigint;
}

/** A log of the core contract that a node follows. */
export type CoreContractLog = StateUpdateLog | MessageLog;

/** What the core contract says of the chain. */
export interface CoreState {
  readonly stateRoot: Felt;
  /** -1 before the first update. */
  readonly blockNumber: bigint;
  readonly blockHash: Felt;
}

/** What one endpoint reports of the core contract at one L1 block. */
export type StateReport = {
  /** The endpoint without credentials. */
  readonly endpoint: string;
} & (
  | (ReportedUpdates & {
      readonly kind: "read";
      /** The core contract's state after the block. */
      readonly core: CoreState;
    })
  /** It no longer has the state after the block: the newest one instead. */
  | (ReportedUpdates & {
      readonly kind: "pruned";
      readonly newest: CoreState;
      readonly newestL1Block: number;
    })
  /** It does not answer, or has no block of that number. */
  | { readonly kind: "silent"; readonly reason: string }
);

/** State updates as one endpoint reports them. */
export interface ReportedUpdates {
  /** Hash of the endpoint's block. */
  readonly l1BlockHash: bigint;
  /** Updates that the block logs, in their order. */
  readonly updates: readonly StateUpdateLog[];
  /** Updates in the receipts of the transactions that were asked for. */
  readonly named: readonly StateUpdateLog[];
}

/** How a message to L2 stands at the core contract. */
export interface MessageStanding {
  /** `l1ToL2Messages`: its fee in wei and 1; 0 when it was never sent, was consumed there, or is canceled. */
  readonly feePlusOne: bigint;
  /** Unix seconds at which its cancellation was begun; 0: it was not. */
  readonly cancellationStarted: bigint;
}

/** Prices of L1, in wei per gas, as one endpoint tells them. */
export interface FeeQuote {
  /** The endpoint without credentials. */
  readonly endpoint: string;
  /** `baseFeePerGas` of the next block, or `eth_gasPrice` where there is no fee history. */
  readonly l1GasWei: bigint;
  /** Mean of `baseFeePerBlobGas`, or `eth_blobBaseFee`; `undefined` where L1 has no blobs. */
  readonly l1DataGasWei: bigint | undefined;
}

/** L1 at one block: whatever is read is of that block. */
export interface L1View {
  /** The newest block that counts; reads are of the state after it. */
  readonly block: L1Block;
  /** The newest block that there is. */
  readonly head: L1Block;
  /**
   * Logs of the core contract from block `from` up to `to`, both inclusive, at most {@link block}, in
   * their order. Where two endpoints or more answer, two have told the same.
   */
  logs(from: number, to: number): Promise<readonly CoreContractLog[]>;
  /** Hash of a block of this view's chain; `undefined`: it has none of that number. */
  hashOf(blockNumber: number): Promise<bigint | undefined>;
  coreState(): Promise<CoreState>;
  /** `l1ToL2MessageNonce`: the nonce of the next message. */
  nextMessageNonce(): Promise<bigint>;
  /** How messages stand, by their hashes (Keccak-256), in their order. */
  messages(hashes: readonly bigint[]): Promise<readonly MessageStanding[]>;
}

/**
 * L1 as several endpoints tell it. Every method throws {@link L1Error} when no endpoint answers usably;
 * which ones are asked, and which are left for others, is the source's matter.
 */
export interface L1Source {
  /**
   * Reads at the newest block that counts by `finality`. What `read` returns is given back only if that
   * block is still one of its chain then.
   */
  view<T>(finality: L1Finality, read: (view: L1View) => Promise<T>): Promise<T>;
  /** `undefined`: L1 has no block that is older. */
  blockBefore(unixSeconds: number): Promise<number | undefined>;
  /**
   * What each configured endpoint reports of the core contract at one L1 block, compared with no other;
   * it never fails because of an endpoint.
   *
   * @param transactions - transactions on L1 whose receipts are read, too
   */
  stateReports(
    l1BlockNumber: number,
    transactions: readonly bigint[],
  ): Promise<readonly StateReport[]>;
  /** The prices of the endpoint that is asked first. */
  feeQuote(): Promise<FeeQuote>;
  /** Those of another one than it; `undefined`: no other answers. */
  otherFeeQuote(endpoint: string): Promise<FeeQuote | undefined>;
}

/** Where an endpoint stands. */
export type L1EndpointState = "unknown" | "in use" | "standing by" | "left";
