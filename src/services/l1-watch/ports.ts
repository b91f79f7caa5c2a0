import type { Felt } from "#base/primitives/index.ts";
import type { L1BlockId } from "#io/l1/index.ts";

/** An L1 message in the form that the executor needs. */
export interface L1HandlerOrder {
  /** Its L1-handler transaction, encoded by `encodeTransaction`. */
  readonly bytes: Uint8Array;
  readonly transactionHash: Felt;
  readonly nonce: bigint;
  /** Hash of the L1 transaction that sent it. */
  readonly l1TransactionHash: bigint;
  readonly l1BlockNumber: number;
}

/** Outcome of a message sent to the executor. */
export type L1HandlerOutcome =
  /** In this block, which is not accepted yet; also if it was reverted there. */
  | { readonly kind: "included"; readonly blockNumber: number }
  /** It was already in a block. */
  | { readonly kind: "known" }
  /** It can never be executed. */
  | { readonly kind: "refused"; readonly reason: string }
  /** The executor is gone or stopping: the message must be sent again. */
  | { readonly kind: "interrupted" };

/** An L1 message that is in a block. */
export interface ConsumedMessage {
  readonly transactionHash: Felt;
  readonly blockNumber: number;
}

/** The chain's data that L1 is compared with. */
export interface L1ChainPort {
  /** Newest accepted block. */
  latestNumber(): number | undefined;
  /** Oldest block present; a chain from a snapshot lacks the earlier ones. */
  oldestBlock(): number;
  header(blockNumber: number): { readonly hash: Felt; readonly stateRoot: Felt } | undefined;
  /** Newest block that is accepted on L1. */
  l1AcceptedNumber(): number | undefined;
  /** The consumed message of a nonce, in accepted blocks. */
  consumedMessage(nonce: bigint): ConsumedMessage | undefined;
  newestConsumedNonce(): bigint | undefined;
  /** The consumed message of this or a higher nonce in the lowest accepted block. */
  firstConsumedFrom(nonce: bigint): ConsumedMessage | undefined;
  /** L1 block that contained a consumed message at its execution; `undefined` when unknown. */
  l1BlockOf(message: ConsumedMessage): number | undefined;
}

/** Why block production is halted. */
export interface L1Alarm {
  readonly kind: "state_mismatch" | "message_changed" | "message_vanished";
  /** One line: what is wrong on which side, and what the operator can do. */
  readonly message: string;
  /** The L1 block at which it was detected. */
  readonly l1Block: L1BlockId;
}
