import type { Felt } from "#base/primitives/index.ts";
import type { GasPrices } from "#protocol/chain/index.ts";
import type { L1Prices } from "./gas-price.ts";

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

/** A message from L1 and where it came from. */
export interface MessageFromL1 {
  /** Its L1 handler transaction, encoded with its hash. */
  readonly bytes: Uint8Array;
  /** Of the transaction on L1 that sent it. */
  readonly l1TransactionHash: bigint;
  /** The block on L1 that has that transaction. */
  readonly l1BlockNumber: number;
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
  /** Blocks that are opened from now on have these prices of L1: on a chain of any kind. */
  | { readonly kind: "setL1Prices"; readonly prices: L1Prices }
  /**
   * Execute messages from L1 in this order, in turns with the mempool. Those that blocks have already, by
   * hash or by nonce, are passed over.
   */
  | { readonly kind: "messages"; readonly messages: readonly MessageFromL1[] }
  /**
   * No block is opened, sealed or executed in any more, for this reason, until the threads start again.
   * Blocks that were sealed before are committed.
   */
  | { readonly kind: "halt"; readonly reason: string }
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

/** What became of a message from L1. */
export type MessageOutcome =
  /** It is in this block, which is not accepted yet; also one that failed there. */
  | { readonly kind: "included"; readonly blockNumber: number }
  /** A block has it already, or another one with its nonce. */
  | { readonly kind: "known" }
  /** It cannot be executed, whenever that is tried. */
  | { readonly kind: "refused"; readonly reason: string };

/** What became of a command. */
export type ControlOutcome =
  /** Time and prices: readers of every thread see them, and the open block has the time. It is halted. */
  | { readonly kind: "set" }
  /** The block was sealed; the committer's word that it is accepted follows. */
  | { readonly kind: "sealed"; readonly blockNumber: number }
  /** The message or the write is in the open block. */
  | { readonly kind: "included"; readonly blockNumber: number }
  /** Each message has an outcome, in the order of the messages. */
  | { readonly kind: "consumed"; readonly outcomes: readonly MessageOutcome[] }
  /** Nothing was done; of messages, that some may have been executed in a block that is lost. */
  | { readonly kind: "refused"; readonly reason: string };

/** Executor to main: what became of the request with this id. */
export interface ControlReply {
  readonly kind: "controlled";
  readonly id: number;
  readonly outcome: ControlOutcome;
}
