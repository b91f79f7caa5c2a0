import { FIRST_PACE, type PullPace } from "./pull-pace.ts";
import type { BlockSchedule } from "./schedule.ts";

/** What the executor's timing depends on and that does not change. Times are milliseconds. */
export interface ExecutorSettings {
  readonly schedule: BlockSchedule;
  /** Most transactions of a batch. */
  readonly batchSize: number;
  /** Interval of the executor's steps while there is work, in milliseconds. */
  readonly tickMs: number;
}

/**
 * `tick`: a look at the clock; `pause`: the pause after a batch is over; `close`: the
 * open block may be due, see `closesInMs`; `messages`: messages from L1 go on, if they may.
 */
export type ExecutorAlarm = "tick" | "pause" | "close" | "messages";

/**
 * What a development chain was told to do: seal the open block or an empty one; seal one that is
 * opened after this; execute a message from L1, or write a storage variable, which takes its place;
 * set the time, which the open block gets; the same, and seal that block.
 */
export type Order = "block" | "freshBlock" | "message" | "time" | "timedBlock";

/** What happens to the executor. */
export type ExecutorEvent =
  /** An alarm rings; the first `tick` starts the executor. */
  | { readonly kind: "alarm"; readonly alarm: ExecutorAlarm }
  /** Admission answered; nothing is executed yet. */
  | {
      readonly kind: "batch";
      readonly count: number;
      /** Transactions that may follow soon. */
      readonly coming: number;
      readonly attempt: number;
    }
  /** Admission has something after an empty batch, or all that was on its way. */
  | { readonly kind: "wake"; readonly coming: number }
  /** A development chain was told to do something. */
  | { readonly kind: "order"; readonly order: Order }
  /** Messages from L1 have come. */
  | ({ readonly kind: "messages" } & WaitingMessages)
  /** The batch at hand was executed: what `execute`, `executeMessage` or `executeMessages` came to. */
  | {
      readonly kind: "executed";
      readonly startedAtMs: number;
      /** Whether a block is open. */
      readonly isOpen: boolean;
      /** Of the open block; a write counts as one. */
      readonly transactionCount: number;
      /** A transaction did not fit. */
      readonly full: boolean;
      /** Some transactions went back to admission. */
      readonly gaveBack: boolean;
      /** Of `executeMessage`: the order is done, or its message did not fit. */
      readonly order?: "done" | "again";
      /** Of `executeMessages`: those that still wait; `null` when none does. */
      readonly messages?: WaitingMessages | null;
    }
  /** The time was set: what `setTime` came to; without `isOpenToo` the open block has its old time. */
  | { readonly kind: "timeSet"; readonly isOpenToo: boolean }
  /** The block was sealed, which took its time. */
  | { readonly kind: "sealed" }
  /** The committer has finished the lowest sealed block. */
  | { readonly kind: "accepted"; readonly commitMs: number }
  /** Nothing is to be done in blocks any more. */
  | { readonly kind: "halt" }
  | { readonly kind: "stop" };

/** Messages from L1 that wait for a block. */
export interface WaitingMessages {
  /** Of the first one: above 1 for one that may end the process, as in a batch. */
  readonly attempt: number;
}

/** What is to be done, in order. */
export type ExecutorEffect =
  /** Ask admission for a batch of at most `max`. */
  | { readonly kind: "take"; readonly max: number }
  | { readonly kind: "setAlarm"; readonly alarm: ExecutorAlarm; readonly delayMs: number }
  /** Open the next block now. */
  | { readonly kind: "open" }
  /** Let the next block open with the first transaction that is included. */
  | { readonly kind: "prepare" }
  /** Execute the batch at hand, then say `executed`. Always the last effect. */
  | { readonly kind: "execute"; readonly attempt: number }
  /** Execute the message, or do the write, of the first order, then say `executed`. Always the last effect. */
  | { readonly kind: "executeMessage" }
  /**
   * Execute messages from L1, at most `max`, or one alone in an attempt above 1; then say `executed`. Always
   * the last effect.
   */
  | { readonly kind: "executeMessages"; readonly max: number; readonly attempt: number }
  /** Set the time of the first order, also of the open block, then say `timeSet`. Always the last effect. */
  | { readonly kind: "setTime" }
  /** The block of the first order was sealed just now. */
  | { readonly kind: "orderDone" }
  /** Give the batch at hand back to admission. */
  | { readonly kind: "giveBack" }
  /** Seal the open block for the committer, then say `sealed`. */
  | { readonly kind: "seal"; readonly attempt: number; readonly openedAtMs: number };

/** The open block, as far as timing depends on it. */
interface OpenBlock {
  readonly openedAtMs: number;
  readonly transactionCount: number;
}

/** Where the executor stands. */
export interface ExecutorState {
  readonly isStopped: boolean;
  /** Nothing is opened, sealed or executed any more. */
  readonly isHalted: boolean;
  /** A batch was asked for and has not come. */
  readonly isTaking: boolean;
  readonly isPauseAlarmSet: boolean;
  /** When a block on demand that waits for more transactions is looked at; infinite: not at all. */
  readonly closeAlarmAtMs: number;
  readonly pace: PullPace;
  /** Messages from L1 that wait; `null`: none does. */
  readonly messages: WaitingMessages | null;
  /** Set while messages are going to go on. */
  readonly isMessagesAlarmSet: boolean;
  /** Until then transactions that wait go before messages. */
  readonly messagesPauseEndsMs: number;
  /** What is still to be done, first come first. */
  readonly orders: readonly Order[];
  readonly block: OpenBlock | null;
  /** Of the open block: above 1 for one that is made of a transaction that may end the process. */
  readonly attempt: number;
  /** Sealed blocks that the committer has not finished. */
  readonly uncommitted: number;
  /** The newest of them has a transaction that may end the process. */
  readonly isSuspectUncommitted: boolean;
  readonly executedAtMs: number;
  /** When the newest block was sealed. */
  readonly closedAtMs: number;
  /** How long the newest commit took; 0 before the first. */
  readonly lastCommitMs: number;
}

/** Before the first `tick`. */
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
  orders: [],
  block: null,
  attempt: 1,
  uncommitted: 0,
  isSuspectUncommitted: false,
  executedAtMs: 0,
  closedAtMs: Number.NEGATIVE_INFINITY,
  lastCommitMs: 0,
};
