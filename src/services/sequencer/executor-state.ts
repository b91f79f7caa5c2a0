import { FIRST_PACE, type PullPace } from "./pull-pace.ts";
import type { BlockSchedule } from "./schedule.ts";

/** Constants of the executor's timing. Times are milliseconds. */
export interface ExecutorSettings {
  readonly schedule: BlockSchedule;
  readonly batchSize: number;
  /** Interval of the executor's steps while there is work, in milliseconds. */
  readonly tickMs: number;
}

/**
 * Alarms of the executor.
 *
 * - `tick`: periodic check of the clock.
 * - `pause`: the pause after a batch is over.
 * - `close`: the open block may be due, see `closesInMs`.
 * - `messages`: execution of messages from L1 may continue.
 */
export type ExecutorAlarm = "tick" | "pause" | "close" | "messages";

/**
 * Queued commands of a development chain.
 *
 * - `block`: seal the open block, or an empty one.
 * - `freshBlock`: seal a block that is opened afterwards.
 * - `message`: execute a message from L1, or write a storage variable.
 * - `time`: set the time, also of the open block.
 * - `timedBlock`: set the time, and seal that block.
 */
export type Order = "block" | "freshBlock" | "message" | "time" | "timedBlock";

/** Input of the executor's {@link step}. */
export type ExecutorEvent =
  /** An alarm fires; the first `tick` starts the executor. */
  | { readonly kind: "alarm"; readonly alarm: ExecutorAlarm }
  /** Admission sent a batch; nothing of it is executed yet. */
  | {
      readonly kind: "batch";
      readonly count: number;
      /** Transactions that may follow soon. */
      readonly coming: number;
      readonly attempt: number;
    }
  /** Admission has transactions again after an empty batch, or everything in flight has arrived. */
  | { readonly kind: "wake"; readonly coming: number }
  /** A development command was queued. */
  | { readonly kind: "order"; readonly order: Order }
  /** Messages from L1 have arrived. */
  | ({ readonly kind: "messages" } & WaitingMessages)
  /** Result of `execute`, `executeMessage` or `executeMessages`. */
  | {
      readonly kind: "executed";
      readonly startedAtMs: number;
      readonly isOpen: boolean;
      /** Number of transactions in the open block; a write counts as one. */
      readonly transactionCount: number;
      readonly full: boolean;
      readonly gaveBack: boolean;
      /** Result of `executeMessage`: `again` if the message did not fit. */
      readonly order?: "done" | "again";
      /** Result of `executeMessages`: messages still queued; `null` if none. */
      readonly messages?: WaitingMessages | null;
      /** Whether the first of them has to wait for the fork's origin; omitted if not. */
      readonly isPostponed?: boolean;
    }
  /** Result of `setTime`; without `isOpenToo` the open block keeps its old time. */
  | { readonly kind: "timeSet"; readonly isOpenToo: boolean }
  /** The block was sealed, which may have taken a while. */
  | { readonly kind: "sealed" }
  /** The committer has finished the lowest sealed block. */
  | { readonly kind: "accepted"; readonly commitMs: number }
  /** Block production is halted. */
  | { readonly kind: "halt" }
  | { readonly kind: "stop" };

/** Queued messages from L1. */
export interface WaitingMessages {
  /** Attempt of the first message: above 1 if it may crash the process, as in a batch. */
  readonly attempt: number;
}

/** Actions that result from a step, in order. */
export type ExecutorEffect =
  /** Request a batch of at most `max` transactions from admission. */
  | { readonly kind: "take"; readonly max: number }
  | { readonly kind: "setAlarm"; readonly alarm: ExecutorAlarm; readonly delayMs: number }
  /** Open the next block now. */
  | { readonly kind: "open" }
  /** Let the next block open with its first included transaction. */
  | { readonly kind: "prepare" }
  /** Execute the current batch, then report `executed`. Always the last effect. */
  | { readonly kind: "execute"; readonly attempt: number }
  /** Execute the message or write of the first order, then report `executed`. Always the last effect. */
  | { readonly kind: "executeMessage" }
  /** Execute up to `max` messages from L1, or one in an attempt above 1; report `executed`. Always last. */
  | { readonly kind: "executeMessages"; readonly max: number; readonly attempt: number }
  /**
   * Set the time of the first order, also for the open block, then report `timeSet`. Always the last effect.
   */
  | { readonly kind: "setTime" }
  /** Complete the first order: its block has just been sealed. */
  | { readonly kind: "orderDone" }
  /** Give the current batch back to admission. */
  | { readonly kind: "requeue" }
  /** Seal the open block for the committer, then report `sealed`. */
  | { readonly kind: "seal"; readonly attempt: number; readonly openedAtMs: number };

/** Open block, reduced to what the timing depends on. */
interface OpenBlock {
  readonly openedAtMs: number;
  readonly transactionCount: number;
}

/** State of the executor's timing. */
export interface ExecutorState {
  readonly isStopped: boolean;
  /** Whether production is halted: nothing is opened, sealed or executed. */
  readonly isHalted: boolean;
  /** Whether a requested batch has not arrived yet. */
  readonly isTaking: boolean;
  readonly isPauseAlarmSet: boolean;
  /**
   * Time at which an on-demand block that gathers transactions is checked again; infinite if no alarm is set.
   */
  readonly closeAlarmAtMs: number;
  readonly pace: PullPace;
  /** Queued messages from L1; `null` if none. */
  readonly messages: WaitingMessages | null;
  /** Whether an alarm is set that continues with messages. */
  readonly isMessagesAlarmSet: boolean;
  /** Time until which queued transactions go before messages. */
  readonly messagesPauseEndsMs: number;
  /** Time before which no message is executed: the fork's origin did not return a value. */
  readonly messagesAsleepUntilMs: number;
  /** Queued orders, oldest first. */
  readonly orders: readonly Order[];
  readonly block: OpenBlock | null;
  /** Attempt of the open block: above 1 if its transaction may crash the process. */
  readonly attempt: number;
  /** Number of sealed blocks that the committer has not finished. */
  readonly uncommitted: number;
  /** Whether the newest of them has a transaction that may crash the process. */
  readonly isSuspectUncommitted: boolean;
  readonly executedAtMs: number;
  readonly closedAtMs: number;
  /** Duration of the newest commit; 0 before the first. */
  readonly lastCommitMs: number;
}

/** Initial state of the executor's timing, before its first `tick`. */
export const FIRST_STATE: ExecutorState = {
  isStopped: false,
  isHalted: false,
  isTaking: false,
  isPauseAlarmSet: false,
  closeAlarmAtMs: Number.POSITIVE_INFINITY,
  pace: FIRST_PACE,
  messages: null,
  isMessagesAlarmSet: false,
  messagesPauseEndsMs: Number.NEGATIVE_INFINITY,
  messagesAsleepUntilMs: Number.NEGATIVE_INFINITY,
  orders: [],
  block: null,
  attempt: 1,
  uncommitted: 0,
  isSuspectUncommitted: false,
  executedAtMs: 0,
  closedAtMs: Number.NEGATIVE_INFINITY,
  lastCommitMs: 0,
};
