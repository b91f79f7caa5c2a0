import { MAX_UNCOMMITTED_BLOCKS } from "#services/sequencer/index.ts";
import { FIRST_PACE } from "#services/sequencer/pull-pace.ts";
import {
  ACCEPTED,
  batch,
  block,
  BUSY,
  BY_CLOCK,
  execute,
  NO_EMPTY,
  NOW,
  ON_DEMAND,
  OPEN,
  seal,
  TAKE,
  transitions,
} from "#test/helpers/executor-steps.ts";

const MAX = MAX_UNCOMMITTED_BLOCKS;

transitions("a transaction that may end the process, at the limit of uncommitted blocks", [
  ...[BY_CLOCK, ON_DEMAND, NO_EMPTY].map((schedule, i) => ({
    name: `is given back instead of sealing the open block (${i})`,
    schedule,
    from: { isTaking: true, block: block(3), uncommitted: MAX, pace: BUSY },
    event: batch(1, 2),
    effects: [{ kind: "requeue" } as const],
    changes: { isTaking: false, pace: { ...BUSY, isIdle: true } },
  })),
  {
    name: "is given back instead of filling an empty block, which would be sealed after it",
    schedule: BY_CLOCK,
    from: { isTaking: true, block: block(0), uncommitted: MAX, pace: BUSY },
    event: batch(1, 2),
    effects: [{ kind: "requeue" }],
    changes: { isTaking: false, pace: { ...BUSY, isIdle: true } },
  },
  {
    name: "only concerns suspects: the open block accepts others",
    schedule: BY_CLOCK,
    from: { isTaking: true, block: block(3), uncommitted: MAX, pace: BUSY },
    event: batch(1),
    effects: [execute()],
    changes: { isTaking: false, pace: { ...BUSY, isIdle: true } },
  },
]);

transitions("a transaction that may end the process, one below the limit", [
  {
    name: "seals the open block, and is given back because no other can be opened",
    schedule: BY_CLOCK,
    from: { isTaking: true, block: block(3), uncommitted: MAX - 1, pace: BUSY },
    event: batch(1, 2),
    effects: [seal(NOW - 100), { kind: "requeue" }],
    changes: { isTaking: false, pace: { ...BUSY, isIdle: true }, block: null, uncommitted: MAX },
  },
  {
    name: "is executed in an empty block, which reaches the limit",
    schedule: BY_CLOCK,
    from: { isTaking: true, block: null, uncommitted: MAX - 1, pace: BUSY },
    event: batch(1, 2),
    effects: [OPEN, execute(2)],
    changes: {
      isTaking: false,
      pace: { ...BUSY, isIdle: true },
      block: block(0, NOW),
      attempt: 2,
    },
  },
]);

const UNCOMMITTED = { uncommitted: 2, isSuspectUncommitted: true } as const;

transitions("an uncommitted block whose transaction may end the process", [
  ...[BY_CLOCK, ON_DEMAND, NO_EMPTY].map((schedule, i) => ({
    name: `causes other transactions to be given back (${i})`,
    schedule,
    from: { ...UNCOMMITTED, isTaking: true },
    event: batch(3),
    effects: [{ kind: "requeue" } as const],
    changes: { isTaking: false },
  })),
  {
    name: "prevents requests for transactions",
    schedule: ON_DEMAND,
    from: UNCOMMITTED,
    event: { kind: "wake", coming: 1 },
    effects: [],
    changes: { pace: { ...FIRST_PACE, coming: 1 } },
  },
  {
    name: "delays messages from L1",
    schedule: NO_EMPTY,
    from: { ...UNCOMMITTED, messages: { attempt: 1 }, isMessagesAlarmSet: true },
    event: { kind: "alarm", alarm: "messages" },
    effects: [],
    changes: { isMessagesAlarmSet: false },
  },
  {
    name: "delays orders",
    schedule: ON_DEMAND,
    from: UNCOMMITTED,
    event: { kind: "order", order: "block" },
    effects: [],
    changes: { orders: ["block"] },
  },
  {
    name: "is not released by the commit of an earlier block",
    schedule: BY_CLOCK,
    from: UNCOMMITTED,
    event: ACCEPTED,
    effects: [],
    changes: { uncommitted: 1, lastCommitMs: 10 },
  },
  {
    name: "lets everything continue once committed",
    schedule: BY_CLOCK,
    from: { ...UNCOMMITTED, uncommitted: 1 },
    event: ACCEPTED,
    effects: [OPEN, TAKE],
    changes: {
      uncommitted: 0,
      isSuspectUncommitted: false,
      lastCommitMs: 10,
      block: block(0, NOW),
      isTaking: true,
    },
  },
]);
