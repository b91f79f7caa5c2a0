import type { Felt } from "#base/primitives/index.ts";
import type { GasPrices } from "#protocol/chain/index.ts";

/** Prices that a development chain is told to take, per gas; a member that is absent stays. */
export type GasPriceChange = {
  readonly [K in keyof GasPrices]?: { readonly wei?: bigint; readonly fri?: bigint };
};

/** A storage variable and what it gets. */
export interface StorageWrite {
  readonly contractAddress: Felt;
  readonly key: Felt;
  readonly value: Felt;
}

/** What whoever runs the node, or develops against its chain, tells the executor to do. */
export type ControlCommand =
  /**
   * Seal a block now, an empty one too. With `fresh` it is a block that is opened now: what is open
   * already is sealed before it, with the time and the prices that it was opened with.
   */
  | { readonly kind: "createBlock"; readonly fresh: boolean }
  /**
   * The open block, else the next one, gets this timestamp in Unix seconds; time goes on from there.
   * What the open block has is executed again at that time. With `seal` that block is sealed.
   */
  | { readonly kind: "setTime"; readonly timestamp: number; readonly seal: boolean }
  /** The same, this many seconds later than it would be. */
  | { readonly kind: "increaseTime"; readonly seconds: number; readonly seal: boolean }
  /** Time goes on as after a restart: from this moment (Unix seconds) where it is ahead of the system's. */
  | { readonly kind: "resumeTime"; readonly timestamp: number }
  /** Write a storage variable of a contract into the open block, behind its transactions. */
  | ({ readonly kind: "writeStorage" } & StorageWrite)
  /** Blocks that are opened from now on have these prices. */
  | { readonly kind: "setGasPrices"; readonly prices: GasPriceChange }
  /** Execute a message from L1; `bytes` is its encoded L1 handler transaction. */
  | {
      readonly kind: "message";
      readonly bytes: Uint8Array;
      /** Of the transaction on L1 that sent it; `null` when there is none. */
      readonly l1TransactionHash: bigint | null;
    };

/** A command with the number that its reply has. */
export interface ControlRequest {
  readonly kind: "control";
  readonly id: number;
  readonly command: ControlCommand;
}

/** What became of a command. */
export type ControlOutcome =
  /** Time and prices: readers of every thread see them, and the open block has the time. */
  | { readonly kind: "set" }
  /** The block was sealed; the committer's word that it is accepted follows. */
  | { readonly kind: "sealed"; readonly blockNumber: number }
  /** The message or the write is in the open block. */
  | { readonly kind: "included"; readonly blockNumber: number }
  /** Nothing was done. */
  | { readonly kind: "refused"; readonly reason: string };

/** Executor to main: what became of the request with this id. */
export interface ControlReply {
  readonly kind: "controlled";
  readonly id: number;
  readonly outcome: ControlOutcome;
}
