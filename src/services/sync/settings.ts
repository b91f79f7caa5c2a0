import type { Felt } from "#base/primitives/index.ts";

/** How much of what is ahead is held. */
export interface PipelineLimits {
  /** Most blocks that are fetched, checked or wait to be applied. */
  readonly maxBlocks: number;
  /** Bytes of them from which on no more are asked for; one block is always. */
  readonly maxBytes: number;
}

/** What a follower takes, and when it looks. */
export interface SyncSettings {
  readonly chainId: Felt;
  /** Of the key that signs blocks, by the configuration; `null`: the first that is told, from then on. */
  readonly publicKey: Felt | null;
  /** Addresses of the fee tokens, by the configuration. */
  readonly feeTokens: { readonly strk: Felt; readonly eth: Felt };
  /** What messages call where blocks come from: `the gateway`, `the store`. */
  readonly sourceName: string;
  /** How many gateways are asked, one in place of another; a store is one. */
  readonly gatewayCount: number;
  /** Last block to take; nothing is asked for after it. `null`: there is none. */
  readonly stopAt: number | null;
  /** Which block's hash a block of a protocol version stores, counted back from it, and where. */
  readonly blockHashes: (protocolVersion: string) => {
    readonly distance: number;
    readonly contractAddress: Felt;
  };
  /** The newest protocol version that the program knows: blocks of newer ones are not taken. */
  readonly newestVersion: string;
  /** Whether a gateway's compiled code is taken where ours has another hash than was declared. */
  readonly trustsCasm: boolean;
  /** Whether a gateway is believed that a block is accepted on L1: nobody here follows L1. */
  readonly takesL1Status: boolean;
  /** Between two questions for the newest block. */
  readonly headPollMs: number;
  /** Between two questions for blocks that are not accepted. */
  readonly preConfirmedPollMs: number;
  readonly pipeline: PipelineLimits;
  /** Most bytes of texts that wait to be checked or are being checked, of classes as well; one is always. */
  readonly maxTextBytes: number;
}
