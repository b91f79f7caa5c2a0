import type { ExecutorEffect, ExecutorEvent } from "#services/sequencer/executor-state.ts";
import { MAX_UNCOMMITTED_BLOCKS } from "#services/sequencer/index.ts";
import { FIRST_PACE } from "#services/sequencer/pull-pace.ts";
import { ANSWER_MS, POSTPONED_MS } from "#services/sequencer/message-steps.ts";
import {
  ACCEPTED,
  batch,
  BATCH_SIZE,
  BLOCK_TIME,
  block,
  BUSY,
  BY_CLOCK,
  closeAlarm,
  COMING,
  execute,
  executed,
  NO_EMPTY,
  NOW,
  ON_DEMAND,
  PAUSED_NOW,
  PREPARE,
  seal,
  TAKE,
  TICK,
  transitions,
} from "#test/helpers/executor-steps.ts";

const MAX = MAX_UNCOMMITTED_BLOCKS;
const COME: ExecutorEvent = { kind: "messages", attempt: 1 };
const GO_ON: ExecutorEvent = { kind: "alarm", alarm: "messages" };
const WAITING = { messages: { attempt: 1 } };
const ALARM_SET = { ...WAITING, isMessagesAlarmSet: true };
const MESSAGES = (attempt = 1): ExecutorEffect => ({
  kind: "executeMessages",
  max: BATCH_SIZE,
  attempt,
});
const alarm = (delayMs: number): ExecutorEffect => ({
  kind: "setAlarm",
  alarm: "messages",
  delayMs,
});

transitions("messages that the fork's origin holds up", [
  {
    name: "wait a while after a failed execution",
    schedule: ON_DEMAND,
    from: { ...WAITING, block: block(1) },
    event: executed(1, { messages: { attempt: 1 }, isPostponed: true }),
    effects: [closeAlarm(BLOCK_TIME - 100), TAKE, alarm(POSTPONED_MS)],
    changes: {
      isTaking: true,
      isMessagesAlarmSet: true,
      messagesAsleepUntilMs: NOW + POSTPONED_MS,
      messagesPauseEndsMs: NOW + 5,
      closeAlarmAtMs: NOW + BLOCK_TIME - 100,
      executedAtMs: NOW,
    },
  },
  {
    name: "are not executed before that",
    schedule: ON_DEMAND,
    from: { ...ALARM_SET, messagesAsleepUntilMs: NOW + 1 },
    event: GO_ON,
    effects: [],
    changes: { isMessagesAlarmSet: false },
  },
]);

transitions("arriving messages", [
  {
    name: "set an immediate alarm if nothing else is in flight",
    schedule: ON_DEMAND,
    from: {},
    event: COME,
    effects: [alarm(0)],
    changes: ALARM_SET,
  },
  {
    name: "let requested transactions go first",
    schedule: ON_DEMAND,
    from: { isTaking: true },
    event: COME,
    effects: [alarm(ANSWER_MS)],
    changes: ALARM_SET,
  },
  {
    name: "queued behind others change nothing",
    schedule: ON_DEMAND,
    from: ALARM_SET,
    event: COME,
    effects: [],
    changes: {},
  },
]);

transitions("messages at their alarm", [
  {
    name: "open a block like transactions",
    schedule: ON_DEMAND,
    from: ALARM_SET,
    event: GO_ON,
    effects: [PREPARE, MESSAGES()],
    changes: { isMessagesAlarmSet: false },
  },
  {
    name: "go into the open block",
    schedule: BY_CLOCK,
    from: { ...ALARM_SET, block: block(2) },
    event: GO_ON,
    effects: [MESSAGES()],
    changes: { isMessagesAlarmSet: false },
  },
  {
    name: "wait while the committer is too far behind",
    schedule: BY_CLOCK,
    from: { ...ALARM_SET, block: block(2), uncommitted: MAX },
    event: GO_ON,
    effects: [],
    changes: { isMessagesAlarmSet: false },
  },
  {
    name: "yield to waiting transactions after their turn",
    schedule: BY_CLOCK,
    from: { ...ALARM_SET, block: block(2), pace: BUSY, messagesPauseEndsMs: NOW + 1 },
    event: GO_ON,
    effects: [],
    changes: { isMessagesAlarmSet: false },
  },
  {
    name: "do not yield if no transaction waits",
    schedule: BY_CLOCK,
    from: { ...ALARM_SET, block: block(2), messagesPauseEndsMs: NOW + 1 },
    event: GO_ON,
    effects: [MESSAGES()],
    changes: { isMessagesAlarmSet: false },
  },
  {
    name: "get a separate block in a further attempt",
    schedule: NO_EMPTY,
    from: { messages: { attempt: 2 }, isMessagesAlarmSet: true, block: block(2) },
    event: GO_ON,
    effects: [seal(NOW - 100), PREPARE, MESSAGES(2)],
    changes: { isMessagesAlarmSet: false, block: null, attempt: 2, uncommitted: 1 },
  },
  {
    name: "get a new alarm at each tick, in case it was lost",
    schedule: NO_EMPTY,
    from: { ...WAITING, isTaking: true },
    event: { kind: "alarm", alarm: "tick" },
    effects: [{ kind: "setAlarm", alarm: "tick", delayMs: TICK }, alarm(ANSWER_MS)],
    changes: { isMessagesAlarmSet: true },
  },
  {
    name: "get a new alarm when the committer has caught up",
    schedule: NO_EMPTY,
    from: { ...WAITING, isTaking: true, uncommitted: MAX },
    event: ACCEPTED,
    effects: [alarm(ANSWER_MS)],
    changes: { uncommitted: MAX - 1, lastCommitMs: 10, isMessagesAlarmSet: true },
  },
]);

transitions("messages and batches", [
  {
    name: "alternate: messages follow a batch",
    schedule: NO_EMPTY,
    from: { ...WAITING, isTaking: true, pace: BUSY, block: block(2) },
    event: executed(9),
    effects: [MESSAGES()],
    changes: { block: block(9), executedAtMs: NOW },
  },
  {
    name: "alternate: a batch follows messages, which pause for as long as they took",
    schedule: NO_EMPTY,
    from: { ...WAITING, isTaking: true, pace: BUSY, block: block(2) },
    event: executed(9, { messages: { attempt: 1 } }),
    effects: [alarm(ANSWER_MS)],
    changes: {
      block: block(9),
      executedAtMs: NOW,
      messagesPauseEndsMs: NOW + 5,
      isMessagesAlarmSet: true,
    },
  },
  {
    name: "an empty batch lets messages continue",
    schedule: NO_EMPTY,
    from: { ...WAITING, isTaking: true, block: block(2) },
    event: batch(0),
    effects: [MESSAGES()],
    changes: {
      isTaking: false,
      pace: { ...FIRST_PACE, asleepUntilMs: NOW + 250 },
    },
  },
  {
    name: "a batch of transactions precedes messages",
    schedule: NO_EMPTY,
    from: { ...WAITING, isTaking: true, block: block(2) },
    event: batch(3),
    effects: [execute()],
    changes: { isTaking: false },
  },
  {
    name: "the last message clears the queue",
    schedule: NO_EMPTY,
    from: { ...WAITING, isTaking: true, block: block(2) },
    event: executed(9, { messages: null }),
    effects: [],
    changes: { block: block(9), executedAtMs: NOW, messages: null, messagesPauseEndsMs: NOW + 5 },
  },
  {
    name: "messages are followed by a request for the next batch",
    schedule: NO_EMPTY,
    from: { ...WAITING, block: block(2) },
    event: executed(9, { messages: null }),
    effects: [TAKE],
    changes: {
      block: block(9),
      executedAtMs: NOW,
      messages: null,
      messagesPauseEndsMs: NOW + 5,
      isTaking: true,
    },
  },
  {
    name: "a message that did not fit closes the block",
    schedule: NO_EMPTY,
    from: { ...WAITING, isTaking: true, block: block(9) },
    event: executed(9, { messages: { attempt: 1 }, full: true }),
    effects: [seal(NOW - 100), alarm(ANSWER_MS)],
    changes: {
      block: null,
      uncommitted: 1,
      executedAtMs: NOW,
      messagesPauseEndsMs: NOW + 5,
      isMessagesAlarmSet: true,
    },
  },
  {
    name: "a block on demand stays open while messages wait",
    schedule: ON_DEMAND,
    from: { ...WAITING, isTaking: true, block: block(2), attempt: 1 },
    event: executed(3, { messages: { attempt: 1 } }),
    effects: [closeAlarm(900), alarm(ANSWER_MS)],
    changes: {
      block: block(3),
      executedAtMs: NOW,
      closeAlarmAtMs: NOW + 900,
      messagesPauseEndsMs: NOW + 5,
      isMessagesAlarmSet: true,
    },
  },
  {
    name: "the block of a further attempt ends with its message",
    schedule: NO_EMPTY,
    from: { messages: { attempt: 2 }, isTaking: true, attempt: 2 },
    event: executed(1, { messages: null }),
    effects: [seal(NOW - 5, 2)],
    changes: {
      attempt: 1,
      uncommitted: 1,
      isSuspectUncommitted: true,
      executedAtMs: NOW,
      messages: null,
      messagesPauseEndsMs: NOW + 5,
    },
  },
  {
    name: "an order precedes messages",
    schedule: NO_EMPTY,
    from: { ...WAITING, isTaking: true, orders: ["message"], uncommitted: MAX },
    event: ACCEPTED,
    effects: [PREPARE, { kind: "executeMessage" }],
    changes: { uncommitted: MAX - 1, lastCommitMs: 10 },
  },
  {
    name: "messages continue after an order",
    schedule: NO_EMPTY,
    from: { ...WAITING, pace: COMING, isTaking: true, orders: ["message"], block: block(1) },
    event: executed(2, { order: "done" }),
    effects: [alarm(ANSWER_MS)],
    changes: {
      orders: [],
      block: block(2),
      executedAtMs: NOW,
      pace: PAUSED_NOW,
      isMessagesAlarmSet: true,
    },
  },
]);
