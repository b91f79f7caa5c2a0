import type { ExecutorEffect, ExecutorEvent, Order } from "#services/sequencer/executor-state.ts";
import { MAX_UNCOMMITTED_BLOCKS } from "#services/sequencer/index.ts";
import {
  block,
  BY_CLOCK,
  executed,
  NEW_BLOCK,
  NO_EMPTY,
  NOW,
  ON_DEMAND,
  OPEN,
  COMING,
  PAUSED_NOW,
  PREPARE,
  closeAlarm,
  seal,
  TAKE,
  transitions,
} from "#test/helpers/executor-steps.ts";
import { QUIET_MS } from "#services/sequencer/index.ts";

const MAX = MAX_UNCOMMITTED_BLOCKS;
const DONE: ExecutorEffect = { kind: "orderDone" };
const MESSAGE: ExecutorEffect = { kind: "executeMessage" };
const ordered = (order: Order): ExecutorEvent => ({ kind: "order", order });
const ACCEPTED: ExecutorEvent = { kind: "accepted", commitMs: 10 };

transitions("an ordered block", [
  {
    name: "is an empty one if none is open",
    schedule: ON_DEMAND,
    from: {},
    event: ordered("block"),
    effects: [OPEN, seal(NOW), DONE],
    changes: { uncommitted: 1 },
  },
  {
    name: "is the open one",
    schedule: NO_EMPTY,
    from: { block: block(3) },
    event: ordered("block"),
    effects: [seal(NOW - 100), DONE],
    changes: { block: null, uncommitted: 1 },
  },
  {
    name: "by the clock is the open one, and the next is opened",
    schedule: BY_CLOCK,
    from: { block: block(0) },
    event: ordered("block"),
    effects: [seal(NOW - 100), OPEN, DONE],
    changes: { block: NEW_BLOCK, uncommitted: 1 },
  },
  {
    name: "with the current time follows the open one",
    schedule: ON_DEMAND,
    from: { block: block(3) },
    event: ordered("freshBlock"),
    effects: [seal(NOW - 100), OPEN, seal(NOW), DONE],
    changes: { block: null, uncommitted: 2 },
  },
  {
    name: "with the current time by the clock is the one after the open one",
    schedule: BY_CLOCK,
    from: { block: block(0) },
    event: ordered("freshBlock"),
    effects: [seal(NOW - 100), OPEN, seal(NOW), OPEN, DONE],
    changes: { block: NEW_BLOCK, uncommitted: 2 },
  },
  {
    name: "with the current time is an empty one if none is open",
    schedule: ON_DEMAND,
    from: {},
    event: ordered("freshBlock"),
    effects: [OPEN, seal(NOW), DONE],
    changes: { uncommitted: 1 },
  },
  {
    name: "waits while the committer is too far behind",
    schedule: ON_DEMAND,
    from: { uncommitted: MAX },
    event: ordered("block"),
    effects: [],
    changes: { orders: ["block"] },
  },
  {
    name: "with the current time waits between its two blocks",
    schedule: ON_DEMAND,
    from: { uncommitted: MAX - 1, block: block(1) },
    event: ordered("freshBlock"),
    effects: [seal(NOW - 100)],
    changes: { uncommitted: MAX, block: null, orders: ["block"] },
  },
  {
    name: "is sealed when the committer has caught up",
    schedule: ON_DEMAND,
    from: { uncommitted: MAX, orders: ["block"], isTaking: true },
    event: ACCEPTED,
    effects: [OPEN, seal(NOW), DONE],
    changes: { uncommitted: MAX, orders: [], lastCommitMs: 10 },
  },
  {
    name: "waits for earlier orders",
    schedule: ON_DEMAND,
    from: { uncommitted: MAX, orders: ["message"] },
    event: ordered("block"),
    effects: [],
    changes: { orders: ["message", "block"] },
  },
  {
    name: "is ignored after a stop",
    schedule: ON_DEMAND,
    from: { isStopped: true },
    event: ordered("block"),
    effects: [],
    changes: {},
  },
]);

transitions("an ordered message", [
  {
    name: "opens a block like a transaction",
    schedule: ON_DEMAND,
    from: {},
    event: ordered("message"),
    effects: [PREPARE, MESSAGE],
    changes: { orders: ["message"] },
  },
  {
    name: "goes into the open block",
    schedule: BY_CLOCK,
    from: { block: block(1) },
    event: ordered("message"),
    effects: [MESSAGE],
    changes: { orders: ["message"] },
  },
  {
    name: "waits while the committer is too far behind",
    schedule: ON_DEMAND,
    from: { uncommitted: MAX },
    event: ordered("message"),
    effects: [],
    changes: { orders: ["message"] },
  },
  {
    name: "completes after its execution, and the next order follows",
    schedule: NO_EMPTY,
    from: { pace: COMING, orders: ["message", "block"], isTaking: true },
    event: executed(1, { order: "done" }),
    effects: [seal(NOW - 5), DONE],
    changes: { orders: [], uncommitted: 1, executedAtMs: NOW, pace: PAUSED_NOW },
  },
  {
    name: "gets a block on demand after the quiet time",
    schedule: ON_DEMAND,
    from: { pace: COMING, orders: ["message"], isTaking: true, closedAtMs: NOW, lastCommitMs: 100 },
    event: executed(1, { order: "done" }),
    effects: [closeAlarm(QUIET_MS)],
    changes: {
      orders: [],
      block: block(1, NOW - 5),
      executedAtMs: NOW,
      closeAlarmAtMs: NOW + QUIET_MS,
      pace: PAUSED_NOW,
    },
  },
  {
    name: "that did not fit is executed again in the next block",
    schedule: ON_DEMAND,
    from: { pace: COMING, orders: ["message"], block: block(2), isTaking: true },
    event: executed(2, { order: "again", full: true }),
    effects: [seal(NOW - 100), PREPARE, MESSAGE],
    changes: {
      orders: ["message"],
      block: null,
      uncommitted: 1,
      executedAtMs: NOW,
      pace: PAUSED_NOW,
    },
  },
  {
    name: "that did not fit waits while its block cannot be closed",
    schedule: BY_CLOCK,
    from: { pace: COMING, orders: ["message"], block: block(2), isTaking: true, uncommitted: MAX },
    event: executed(2, { order: "again", full: true }),
    effects: [],
    changes: { executedAtMs: NOW, pace: PAUSED_NOW },
  },
  {
    name: "is executed when the committer has caught up",
    schedule: NO_EMPTY,
    from: { orders: ["message"], uncommitted: MAX },
    event: ACCEPTED,
    effects: [TAKE, PREPARE, MESSAGE],
    changes: { uncommitted: MAX - 1, lastCommitMs: 10, isTaking: true },
  },
]);

const SET_TIME: ExecutorEffect = { kind: "setTime" };

transitions("an ordered time", [
  {
    name: "is set regardless of the committer",
    schedule: ON_DEMAND,
    from: { uncommitted: MAX, block: block(2) },
    event: ordered("time"),
    effects: [SET_TIME],
    changes: { orders: ["time"] },
  },
  {
    name: "waits for earlier orders",
    schedule: ON_DEMAND,
    from: { orders: ["block"], uncommitted: MAX },
    event: ordered("timedBlock"),
    effects: [],
    changes: { orders: ["block", "timedBlock"] },
  },
  {
    name: "completes when it is set",
    schedule: ON_DEMAND,
    from: { orders: ["time"], block: block(2) },
    event: { kind: "timeSet", isOpenToo: true },
    effects: [],
    changes: { orders: [] },
  },
  {
    name: "seals the open block that has it",
    schedule: ON_DEMAND,
    from: { orders: ["timedBlock"], block: block(2) },
    event: { kind: "timeSet", isOpenToo: true },
    effects: [seal(NOW - 100), DONE],
    changes: { orders: [], block: null, uncommitted: 1 },
  },
  {
    name: "gets a separate block if the open one cannot have it",
    schedule: ON_DEMAND,
    from: { orders: ["timedBlock"], block: block(2) },
    event: { kind: "timeSet", isOpenToo: false },
    effects: [seal(NOW - 100), OPEN, seal(NOW), DONE],
    changes: { orders: [], block: null, uncommitted: 2 },
  },
]);
