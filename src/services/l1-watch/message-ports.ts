import type { Felt, Timer } from "#base/primitives/index.ts";
import type { L1Finality, L1Source } from "#io/l1/index.ts";
import type { MessageIndex } from "./message-index.ts";
import type { L1Alarm, L1ChainPort, L1HandlerOrder, L1HandlerOutcome } from "./ports.ts";

/** Why a message is not executed. */
export type HeldBackReason =
  /** Its values do not form a valid transaction: it can never be executed. */
  | { readonly kind: "unusable"; readonly what: string }
  /** Its sender has started to cancel it. */
  | { readonly kind: "cancellation"; readonly startedUnixSeconds: bigint }
  /** The core contract no longer has it. */
  | { readonly kind: "gone" }
  /** The executor permanently refuses it. */
  | { readonly kind: "refused"; readonly reason: string };

/** A message that is held back or dropped. */
export interface HeldBackMessage {
  readonly nonce: bigint;
  readonly l1TransactionHash: bigint;
  readonly l1BlockNumber: number;
  readonly reason: HeldBackReason;
}

/** A batch of messages sent to the executor, with counts by outcome. */
export interface MessageBatchCounts {
  readonly firstNonce: bigint;
  readonly lastNonce: bigint;
  /** Included in a block now. */
  readonly included: number;
  /** Already in a block before. */
  readonly known: number;
  readonly refused: number;
}

/** Events of messages to L2, for logs and metrics. */
export type MessageEvent =
  | { readonly kind: "batch"; readonly messages: MessageBatchCounts }
  | { readonly kind: "held_back"; readonly message: HeldBackMessage }
  /** It is executable again: L1 was reorganized, and has it as before. */
  | { readonly kind: "returned"; readonly nonce: bigint }
  /** Missing before the first log, and found when read again. */
  | { readonly kind: "found"; readonly firstNonce: bigint; readonly lastNonce: bigint }
  /** Sent before the first log that is read, and in no block. */
  | { readonly kind: "too_old"; readonly firstNonce: bigint; readonly lastNonce: bigint }
  /** Rechecking before execution failed; retried after `retryMs`. */
  | { readonly kind: "delayed"; readonly error: unknown; readonly retryMs: number };

/** Limits of held messages and batches. */
export interface MessageLimits {
  /** Maximum held messages; the logs of others are read again later. */
  readonly heldMessages: number;
  /** Maximum total transaction bytes of held messages. */
  readonly heldBytes: number;
  readonly batchMessages: number;
  /** Maximum transaction bytes of a batch; a larger message goes alone. */
  readonly batchBytes: number;
  /** Maximum messages held back: a reorg of L1 may make them executable again. */
  readonly heldBackMessages: number;
  /** First and maximum delay of retries. */
  readonly retryMs: { readonly first: number; readonly most: number };
}

/** Dependencies of {@link MessageWatch}. */
export interface MessageWatchDeps {
  readonly chain: Pick<
    L1ChainPort,
    "consumedMessage" | "newestConsumedNonce" | "firstConsumedFrom" | "l1BlockOf"
  >;
  /** The chain id as a short string felt. */
  readonly chainId: Felt;
  readonly source: Pick<L1Source, "view">;
  /** Finality at which messages count; the same as that of the log reader. */
  readonly finality: L1Finality;
  readonly index: MessageIndex;
  readonly limits: MessageLimits;
  readonly timer: Timer;
  /** Yields to other work on this thread. */
  yieldToOthers(): Promise<void>;
  /** Sends messages to the executor; one call at a time. Resolves with one outcome each, in order. */
  execute(orders: readonly L1HandlerOrder[]): Promise<readonly L1HandlerOutcome[]>;
  /** Called once; no message is sent to the executor until {@link MessageWatch.reset}. */
  onAlarm(alarm: L1Alarm): void;
  onEvent(event: MessageEvent): void;
}
