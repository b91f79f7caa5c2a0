import type { Felt, Timer } from "#base/primitives/index.ts";
import type { L1Finality, L1Source } from "#io/l1/index.ts";
import type { MessageIndex } from "./message-index.ts";
import type { L1Alarm, L1ChainPort, L1HandlerOrder, L1HandlerOutcome } from "./ports.ts";

/** Why a message is not executed. */
export type LeftOutReason =
  /** Its values are not those of a transaction: it never can be. */
  | { readonly kind: "unusable"; readonly what: string }
  /** Whoever has sent it has begun to cancel it. */
  | { readonly kind: "cancellation"; readonly startedUnixSeconds: bigint }
  /** The core contract does not have it any more. */
  | { readonly kind: "gone" }
  /** The executor takes it under no circumstances. */
  | { readonly kind: "refused"; readonly reason: string };

/** A message that is left out. */
export interface LeftOutMessage {
  readonly nonce: bigint;
  readonly l1TransactionHash: bigint;
  readonly l1BlockNumber: number;
  readonly reason: LeftOutReason;
}

/** Messages that were handed to the executor together, by what became of them. */
export interface HandedMessages {
  readonly firstNonce: bigint;
  readonly lastNonce: bigint;
  /** They are in a block now. */
  readonly included: number;
  /** They were in a block before. */
  readonly known: number;
  readonly refused: number;
}

/** What is told of messages to L2, for the log and for metrics. */
export type MessageEvent =
  | { readonly kind: "handed"; readonly messages: HandedMessages }
  | { readonly kind: "left_out"; readonly message: LeftOutMessage }
  /** It counts again: L1 was reorganised, and has it as it was. */
  | { readonly kind: "returned"; readonly nonce: bigint }
  /** They were left out where the logs began, and are there now. */
  | { readonly kind: "found"; readonly firstNonce: bigint; readonly lastNonce: bigint }
  /** Those from `firstNonce` to `lastNonce` were sent before the logs that are read, and no block has them. */
  | { readonly kind: "too_old"; readonly firstNonce: bigint; readonly lastNonce: bigint }
  /** They could not be looked at once more before execution; it is tried again after `retryMs`. */
  | { readonly kind: "delayed"; readonly error: unknown; readonly retryMs: number };

/** Bounds of what is held and handed over at once. */
export interface MessageLimits {
  /** Messages that are held; the logs of others are read again when it is their turn. */
  readonly heldMessages: number;
  /** Bytes of the transactions of those. */
  readonly heldBytes: number;
  /** Messages in one batch for the executor. */
  readonly batchMessages: number;
  /** Bytes of their transactions; a larger one goes alone. */
  readonly batchBytes: number;
  /** Messages that are left out for now: L1 may be reorganised, and have them as they were. */
  readonly leftOutMessages: number;
  /** Until what has failed is tried again, at first and at most. */
  readonly retryMs: { readonly first: number; readonly most: number };
}

/** What messages to L2 are taken with. */
export interface MessageWatchDeps {
  readonly chain: Pick<
    L1ChainPort,
    "consumedMessage" | "newestConsumedNonce" | "firstConsumedFrom" | "l1BlockOf"
  >;
  /** The chain id as a short string felt. */
  readonly chainId: Felt;
  readonly source: Pick<L1Source, "view">;
  /** From when on a message counts; as whoever tells the logs has it. */
  readonly finality: L1Finality;
  readonly index: MessageIndex;
  readonly limits: MessageLimits;
  readonly timer: Timer;
  /** Lets what else waits for this thread go on. */
  yieldToOthers(): Promise<void>;
  /** Hands messages to the executor; one call at a time, with an outcome for each, in their order. */
  execute(orders: readonly L1HandlerOrder[]): Promise<readonly L1HandlerOutcome[]>;
  /** Nothing is handed over any more until all is told anew. */
  onAlarm(alarm: L1Alarm): void;
  onEvent(event: MessageEvent): void;
}
