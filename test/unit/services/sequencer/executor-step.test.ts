import type { ExecutorEvent } from "#services/sequencer/executor-state.ts";
import { FIRST_PACE } from "#services/sequencer/pull-pace.ts";
import { MAX_UNCOMMITTED_BLOCKS, QUIET_MS } from "#services/sequencer/index.ts";
import {
  NOW,
  BLOCK_TIME,
  BY_CLOCK,
  ON_DEMAND,
  TAKE,
  OPEN,
  seal,
  closeAlarm,
  pauseAlarm,
  batch,
  executed,
  block,
  NEW_BLOCK,
  ASLEEP,
  GATHERING,
  type Transition,
  transitions,
} from "#test/helpers/executor-steps.ts";

const TICKS: ExecutorEvent = { kind: "alarm", alarm: "tick" };
const PAUSED: ExecutorEvent = { kind: "alarm", alarm: "pause" };
const CLOSE: ExecutorEvent = { kind: "alarm", alarm: "close" };
const WAKE: ExecutorEvent = { kind: "wake", coming: 0 };
const accepted: ExecutorEvent = { kind: "accepted", commitMs: 30 };
const MAX = MAX_UNCOMMITTED_BLOCKS;
const PAUSING = { ...FIRST_PACE, pauseEndsMs: NOW + 3 };

transitions("the end of a pause", [
  {
    name: "requests a batch",
    schedule: ON_DEMAND,
    from: { isPauseAlarmSet: true },
    event: PAUSED,
    effects: [TAKE],
    changes: { isPauseAlarmSet: false, isTaking: true },
  },
  {
    name: "requests nothing while a batch is in flight",
    schedule: ON_DEMAND,
    from: { isPauseAlarmSet: true, isTaking: true },
    event: PAUSED,
    effects: [],
    changes: { isPauseAlarmSet: false },
  },
  {
    name: "seals nothing",
    schedule: BY_CLOCK,
    from: { isPauseAlarmSet: true, isTaking: true, block: block(1, NOW - BLOCK_TIME) },
    event: PAUSED,
    effects: [],
    changes: { isPauseAlarmSet: false },
  },
  {
    name: "that comes early sets an alarm for the rest",
    schedule: ON_DEMAND,
    from: { isPauseAlarmSet: true, pace: PAUSING },
    event: PAUSED,
    effects: [pauseAlarm(3)],
    changes: {},
  },
]);

transitions("a quiet time", [
  {
    name: "seals the block, and requests nothing",
    schedule: ON_DEMAND,
    from: {
      ...GATHERING,
      block: block(2),
      executedAtMs: NOW - QUIET_MS,
      closeAlarmAtMs: NOW + QUIET_MS,
    },
    event: CLOSE,
    effects: [seal(NOW - 100)],
    changes: { block: null, uncommitted: 1, closeAlarmAtMs: Number.POSITIVE_INFINITY },
  },
  {
    name: "that was interrupted starts again",
    schedule: ON_DEMAND,
    from: { ...GATHERING, block: block(2), closeAlarmAtMs: NOW + QUIET_MS },
    event: CLOSE,
    effects: [closeAlarm(QUIET_MS)],
    changes: {},
  },
  {
    name: "without a block changes nothing",
    schedule: ON_DEMAND,
    from: { closeAlarmAtMs: NOW + QUIET_MS },
    event: CLOSE,
    effects: [],
    changes: { closeAlarmAtMs: Number.POSITIVE_INFINITY },
  },
]);

transitions("a wake", [
  {
    name: "ends the sleep",
    schedule: ON_DEMAND,
    from: { pace: ASLEEP },
    event: WAKE,
    effects: [TAKE],
    changes: { pace: FIRST_PACE, isTaking: true },
  },
  {
    name: "does not end a pause while more are in flight",
    schedule: ON_DEMAND,
    from: { pace: { ...PAUSING, asleepUntilMs: NOW + 1 } },
    event: { kind: "wake", coming: 2 },
    effects: [pauseAlarm(3)],
    changes: { pace: { ...PAUSING, coming: 2 }, isPauseAlarmSet: true },
  },
  {
    name: "ends a pause when all have arrived",
    schedule: ON_DEMAND,
    from: { pace: { ...PAUSING, coming: 2 }, isPauseAlarmSet: true },
    event: WAKE,
    effects: [TAKE],
    changes: { pace: FIRST_PACE, isTaking: true },
  },
  {
    name: "only ends the sleep while a batch is in flight",
    schedule: ON_DEMAND,
    from: { pace: ASLEEP, isTaking: true },
    event: WAKE,
    effects: [],
    changes: { pace: FIRST_PACE },
  },
  {
    name: "requests nothing while the committer is too far behind",
    schedule: ON_DEMAND,
    from: { pace: ASLEEP, uncommitted: MAX },
    event: WAKE,
    effects: [],
    changes: { pace: FIRST_PACE },
  },
]);

transitions("a commit", [
  {
    name: "lets the executor continue once below the limit",
    schedule: BY_CLOCK,
    from: { uncommitted: MAX },
    event: accepted,
    effects: [OPEN, TAKE],
    changes: { uncommitted: MAX - 1, lastCommitMs: 30, block: NEW_BLOCK, isTaking: true },
  },
  {
    name: "lets a due block be sealed",
    schedule: BY_CLOCK,
    from: { uncommitted: MAX, block: block(3, NOW - BLOCK_TIME) },
    event: accepted,
    effects: [seal(NOW - BLOCK_TIME)],
    changes: { uncommitted: MAX, lastCommitMs: 30, block: null },
  },
  {
    name: "on demand lets a block be sealed if no other is uncommitted",
    schedule: ON_DEMAND,
    from: { uncommitted: 1, block: block(3), isTaking: true },
    event: accepted,
    effects: [seal(NOW - 100)],
    changes: { uncommitted: 1, lastCommitMs: 30, block: null },
  },
]);

transitions("sealing", [
  {
    name: "records its end, from which blocks gather",
    schedule: ON_DEMAND,
    from: { uncommitted: 1 },
    event: { kind: "sealed" },
    effects: [],
    changes: { closedAtMs: NOW },
  },
]);

const DUE = {
  block: block(3, NOW - BLOCK_TIME),
  isPauseAlarmSet: true,
  closeAlarmAtMs: NOW + QUIET_MS,
};

transitions("a stop", [
  {
    name: "has no effects",
    schedule: BY_CLOCK,
    from: DUE,
    event: { kind: "stop" },
    effects: [],
    changes: { isStopped: true },
  },
  ...[TICKS, PAUSED, CLOSE, WAKE, batch(0), batch(5, 2), executed(9, { full: true }), accepted].map(
    (event): Transition => ({
      name: `ignores later events: ${JSON.stringify(event)}`,
      schedule: BY_CLOCK,
      from: { ...DUE, isStopped: true },
      event,
      effects: [],
      changes: {},
    }),
  ),
]);
