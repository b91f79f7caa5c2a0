import type { GasPrices } from "#protocol/chain/index.ts";
import type { L1Prices } from "./gas-price.ts";
import type { ChangeRefusal, StateChange, StorageWrite } from "./state-change.ts";
import type { TokenBalance } from "./token-balance.ts";

/** Price overrides of a development chain, per gas; absent members keep their values. */
export type GasPriceChange = {
  readonly [K in keyof GasPrices]?: { readonly wei?: bigint; readonly fri?: bigint };
};

/** Message from L1 and its origin. */
export interface MessageFromL1 {
  /** Encoded L1 handler transaction with its hash. */
  readonly bytes: Uint8Array;
  readonly l1TransactionHash: bigint;
  /** Number of the L1 block with that transaction. */
  readonly l1BlockNumber: number;
}

/** Command to the executor, from the node operator or a developer of the chain. */
export type ControlCommand =
  /**
   * Seals a block now, even if it is empty. With `fresh`, the block is also opened now: a block that is
   * already open is sealed first, with the time and prices that it was opened with.
   */
  | { readonly kind: "createBlock"; readonly fresh: boolean }
  /**
   * Sets the timestamp of the open block, or else of the next one, in Unix seconds; time continues from
   * there. The open block is re-executed at that time, and sealed with `seal`.
   */
  | { readonly kind: "setTime"; readonly timestamp: number; readonly seal: boolean }
  /** Like `setTime`, but relative: moves the time forward by this many seconds. */
  | { readonly kind: "increaseTime"; readonly seconds: number; readonly seal: boolean }
  /**
   * Continues time as after a restart: from this moment (Unix seconds) if it is ahead of the system clock.
   */
  | { readonly kind: "resumeTime"; readonly timestamp: number }
  /** Writes a storage variable of a contract in the open block, after its transactions. */
  | ({ readonly kind: "writeStorage" } & StorageWrite)
  /** Sets values of the state in the open block, after its transactions; all of them, or none. */
  | { readonly kind: "changeState"; readonly change: StateChange }
  /** Writes the storage variables of a token that hold an account's balance, as `changeState`. */
  | ({ readonly kind: "setBalance" } & TokenBalance)
  /** Sets the prices of blocks opened from now on. */
  | { readonly kind: "setGasPrices"; readonly prices: GasPriceChange }
  /** Sets the L1 prices of blocks opened from now on; valid on every chain. */
  | { readonly kind: "setL1Prices"; readonly prices: L1Prices }
  /**
   * Executes messages from L1 in this order, alternating with the mempool. Skips messages that blocks already
   * contain, by hash or by nonce.
   */
  | { readonly kind: "messages"; readonly messages: readonly MessageFromL1[] }
  /**
   * Halts block production for this reason until the threads restart: no block is opened, executed or sealed.
   * Blocks sealed before are committed.
   */
  | { readonly kind: "halt"; readonly reason: string }
  /** Executes a message from L1; `bytes` is its encoded L1 handler transaction. */
  | {
      readonly kind: "message";
      readonly bytes: Uint8Array;
      /** Hash of the L1 transaction that sent the message; `null` if none. */
      readonly l1TransactionHash: bigint | null;
    };

/** Command with the id that its reply repeats. */
export interface ControlRequest {
  readonly kind: "control";
  readonly id: number;
  readonly command: ControlCommand;
}

/** Outcome of a message from L1. */
export type MessageOutcome =
  /** The message is in this block, which is not accepted yet; also if its execution reverted. */
  | { readonly kind: "included"; readonly blockNumber: number }
  /** A block already contains the message, or another one with its nonce. */
  | { readonly kind: "known" }
  /** The message can never be executed. */
  | { readonly kind: "refused"; readonly reason: string };

/** Outcome of a command. */
export type ControlOutcome =
  /** Time or prices are set and visible to readers, also in the open block. Also confirms a halt. */
  | { readonly kind: "set" }
  /** The block was sealed. A message about its acceptance follows from the committer. */
  | { readonly kind: "sealed"; readonly blockNumber: number }
  /** The message or write is in the open block. */
  | { readonly kind: "included"; readonly blockNumber: number }
  /** Outcomes of all messages, in their order. */
  | { readonly kind: "consumed"; readonly outcomes: readonly MessageOutcome[] }
  /** Nothing was done. For messages, some may have been executed in a block that is lost. */
  | {
      readonly kind: "refused";
      readonly reason: string;
      /** Wrong value of a `changeState`; absent for other commands and reasons. */
      readonly fault?: Pick<ChangeRefusal, "code" | "at">;
      /** Whether only a value of the fork's origin is missing, so that nothing is decided; omitted if not. */
      readonly isOriginLost?: true;
    };

/** Executor to main: outcome of the request with this id. */
export interface ControlReply {
  readonly kind: "controlled";
  readonly id: number;
  readonly outcome: ControlOutcome;
}
