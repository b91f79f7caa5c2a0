import type { Felt } from "#base/primitives/index.ts";
import type { L1BlockId } from "#io/l1/index.ts";

/** A message from L1 as the executor takes it. */
export interface L1HandlerOrder {
  /** Its L1 handler transaction, by `encodeTransaction`. */
  readonly bytes: Uint8Array;
  readonly transactionHash: Felt;
  readonly nonce: bigint;
  /** Of the transaction on L1 that sent it. */
  readonly l1TransactionHash: bigint;
  readonly l1BlockNumber: number;
}

/** What became of a message that was handed to the executor. */
export type L1HandlerOutcome =
  /** It is in this block, which is not accepted yet; also one that failed there. */
  | { readonly kind: "included"; readonly blockNumber: number }
  /** It was there already. */
  | { readonly kind: "known" }
  /** It cannot be executed, whenever that is tried. */
  | { readonly kind: "refused"; readonly reason: string }
  /** The executor is gone or stopping: it is to be handed over again. */
  | { readonly kind: "interrupted" };

/** A message from L1 that a block has. */
export interface ConsumedMessage {
  readonly transactionHash: Felt;
  readonly blockNumber: number;
}

/** What of the chain those who follow L1 look at. */
export interface L1ChainPort {
  /** Newest accepted block. */
  latestNumber(): number | undefined;
  /** First block that there is; a chain from a snapshot has none before that. */
  oldestBlock(): number;
  /** Root and hash of an accepted block. */
  header(blockNumber: number): { readonly hash: Felt; readonly stateRoot: Felt } | undefined;
  /** Newest block that is accepted on L1. */
  l1AcceptedNumber(): number | undefined;
  /** The consumed message of a nonce, in accepted blocks. */
  consumedMessage(nonce: bigint): ConsumedMessage | undefined;
  /** The highest consumed nonce in accepted blocks. */
  newestConsumedNonce(): bigint | undefined;
  /** In the lowest accepted block, the consumed message of this nonce or of a higher one. */
  firstConsumedFrom(nonce: bigint): ConsumedMessage | undefined;
  /** The L1 block that had a consumed message when it was executed; `undefined` when that is unknown. */
  l1BlockOf(message: ConsumedMessage): number | undefined;
}

/** Where production goes on no more, and why. */
export interface L1Alarm {
  readonly kind: "state_mismatch" | "message_changed" | "message_vanished";
  /** One line: what is wrong on which side, and what whoever runs the node can do. */
  readonly message: string;
  /** The L1 block at which it was found. */
  readonly l1Block: L1BlockId;
}
