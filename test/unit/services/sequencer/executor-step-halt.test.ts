import {
  ACCEPTED,
  batch,
  block,
  BY_CLOCK,
  NOW,
  transitions,
} from "#test/helpers/executor-steps.ts";

const DUE = {
  messages: { attempt: 1 },
  isMessagesAlarmSet: true,
  block: block(3, NOW - 5_000),
  uncommitted: 3,
};

transitions("a halt", [
  {
    name: "has no effects, and clears what waited",
    schedule: BY_CLOCK,
    from: { ...DUE, orders: ["block"] },
    event: { kind: "halt" },
    effects: [],
    changes: { isHalted: true, orders: [], messages: null },
  },
  {
    name: "gives back an arriving batch",
    schedule: BY_CLOCK,
    from: { ...DUE, isHalted: true, isTaking: true },
    event: batch(5),
    effects: [{ kind: "requeue" }],
    changes: { isTaking: false },
  },
  {
    name: "lets sealed blocks be accepted",
    schedule: BY_CLOCK,
    from: { ...DUE, isHalted: true },
    event: ACCEPTED,
    effects: [],
    changes: { uncommitted: 2 },
  },
  {
    name: "is followed by a stop",
    schedule: BY_CLOCK,
    from: { ...DUE, isHalted: true },
    event: { kind: "stop" },
    effects: [],
    changes: { isStopped: true },
  },
  ...(["tick", "pause", "close", "messages"] as const).map((name) => ({
    name: `ignores the alarm ${name}`,
    schedule: BY_CLOCK,
    from: { ...DUE, isHalted: true },
    event: { kind: "alarm" as const, alarm: name },
    effects: [],
    changes: {},
  })),
  {
    name: "ignores a wake",
    schedule: BY_CLOCK,
    from: { ...DUE, isHalted: true },
    event: { kind: "wake", coming: 0 },
    effects: [],
    changes: {},
  },
]);
