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
    name: "does nothing by itself; what waited is forgotten",
    schedule: BY_CLOCK,
    from: { ...DUE, orders: ["block"] },
    event: { kind: "halt" },
    effects: [],
    changes: { isHalted: true, orders: [], messages: null },
  },
  {
    name: "gives back the batch that comes",
    schedule: BY_CLOCK,
    from: { ...DUE, isHalted: true, isTaking: true },
    event: batch(5),
    effects: [{ kind: "giveBack" }],
    changes: { isTaking: false },
  },
  {
    name: "lets what was sealed be accepted",
    schedule: BY_CLOCK,
    from: { ...DUE, isHalted: true },
    event: ACCEPTED,
    effects: [],
    changes: { uncommitted: 2 },
  },
  {
    name: "ends with a stop",
    schedule: BY_CLOCK,
    from: { ...DUE, isHalted: true },
    event: { kind: "stop" },
    effects: [],
    changes: { isStopped: true },
  },
  ...(["tick", "pause", "close", "messages"] as const).map((name) => ({
    name: `is deaf to the alarm ${name}`,
    schedule: BY_CLOCK,
    from: { ...DUE, isHalted: true },
    event: { kind: "alarm" as const, alarm: name },
    effects: [],
    changes: {},
  })),
  {
    name: "is deaf to being woken",
    schedule: BY_CLOCK,
    from: { ...DUE, isHalted: true },
    event: { kind: "wake", coming: 0 },
    effects: [],
    changes: {},
  },
]);
