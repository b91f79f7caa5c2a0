import type { Felt } from "#base/primitives/index.ts";

/** Limits of the blocks held ahead of the newest stored one. */
export interface PipelineLimits {
  /** Maximum number of blocks that are being fetched, being checked or waiting to be applied. */
  readonly maxBlocks: number;
  /** Total size in bytes above which no more blocks are requested; a single block is always allowed. */
  readonly maxBytes: number;
}

/** Settings of a follower. */
export interface SyncSettings {
  readonly chainId: Felt;
  /** Configured public key of the block signer; `null` to pin the first one reported. */
  readonly publicKey: Felt | null;
  readonly feeTokens: { readonly strk: Felt; readonly eth: Felt };
  /** Name of the block source in messages: `the gateway`, `the store`. */
  readonly sourceName: string;
  /** Number of alternative gateways; 1 for a store. */
  readonly gatewayCount: number;
  /** Last block to sync; nothing is requested after it. `null` for no limit. */
  readonly stopAt: number | null;
  /** Block hash contract of a version: a block stores there the hash of the block `distance` before it. */
  readonly blockHashes: (protocolVersion: string) => {
    readonly distance: number;
    readonly contractAddress: Felt;
  };
  /** Newest protocol version that the program supports: blocks of newer versions are refused. */
  readonly newestVersion: string;
  /** Whether to accept a gateway's compiled code when ours does not have the declared hash. */
  readonly trustsCasm: boolean;
  /** Whether to trust a gateway's ACCEPTED_ON_L1 status, because this node does not follow L1. */
  readonly takesL1Status: boolean;
  /** Interval between polls for the newest block. */
  readonly headPollMs: number;
  /** Interval between polls for pre-confirmed blocks. */
  readonly preConfirmedPollMs: number;
  readonly pipeline: PipelineLimits;
  /** Size limit in bytes of texts waiting for a check or being checked; a single text always passes. */
  readonly maxTextBytes: number;
}
