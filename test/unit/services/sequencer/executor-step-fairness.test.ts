import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  type ExecutorEffect,
  type ExecutorEvent,
  type ExecutorSettings,
  type ExecutorState,
  FIRST_STATE,
} from "#services/sequencer/executor-state.ts";
import { step } from "#services/sequencer/executor-step.ts";
import { type BlockSchedule, MAX_UNCOMMITTED_BLOCKS } from "#services/sequencer/index.ts";
import { MESSAGES_MS } from "#services/sequencer/message-execution.ts";
import { BY_CLOCK, NO_EMPTY, ON_DEMAND } from "#test/helpers/executor-steps.ts";
import { assertProperty } from "#test/helpers/property.ts";

/** Random parameters of a world. All times are in milliseconds. */
interface Story {
  readonly schedule: BlockSchedule;
  /** Execution time of a message and of a transaction. */
  readonly messageMs: number;
  readonly transactionMs: number;
  readonly batchSize: number;
  /** Transactions and messages that a block holds. */
  readonly blockSize: number;
  readonly commitMs: number;
  /** Response time of admission. */
  readonly answerMs: number;
  /** Number of transactions that admission reports as in flight. */
  readonly coming: number;
  /** One in this many messages may end the process; 0 for none. */
  readonly suspectEvery: number;
}

const stories: fc.Arbitrary<Story> = fc.record({
  schedule: fc.constantFrom(BY_CLOCK, ON_DEMAND, NO_EMPTY),
  messageMs: fc.integer({ min: 1, max: 400 }),
  transactionMs: fc.integer({ min: 1, max: 40 }),
  batchSize: fc.integer({ min: 1, max: 64 }),
  blockSize: fc.integer({ min: 1, max: 200 }),
  commitMs: fc.integer({ min: 1, max: 100 }),
  answerMs: fc.integer({ min: 0, max: 30 }),
  coming: fc.nat(2),
  suspectEvery: fc.constantFrom(0, 0, 7),
});

/** A thread with a virtual clock: runs one task at a time, each when due and the thread is free. */
class Thread {
  nowMs = 0;
  #due: { readonly atMs: number; readonly work: () => void }[] = [];

  after(delayMs: number, work: () => void): void {
    this.#due.push({ atMs: this.nowMs + delayMs, work });
  }

  /** Runs the earliest due task. */
  next(): void {
    const first = this.#due.reduce((a, b) => (b.atMs < a.atMs ? b : a));
    this.#due = this.#due.filter((other) => other !== first);
    this.nowMs = Math.max(this.nowMs, first.atMs);
    first.work();
  }
}

type Kind = "messages" | "transactions";

/**
 * Runs an executor until everything is in blocks or the time is over; checks the invariants at
 * every step.
 */
function simulate(story: Story, left: Record<Kind, number>, untilMs: number) {
  const { schedule, batchSize } = story;
  const settings: ExecutorSettings = { schedule, batchSize, tickMs: 20 };
  const thread = new Thread();
  const spentMs: Record<Kind, number> = { messages: 0, transactions: 0 };
  /** Longest time without progress of each kind. */
  const longestMs: Record<Kind, number> = { messages: 0, transactions: 0 };
  const lastMs: Record<Kind, number> = { messages: 0, transactions: 0 };
  const eachMs = { messages: story.messageMs, transactions: story.transactionMs };
  let state: ExecutorState = FIRST_STATE;
  let block: { count: number; suspects: number } | null = null;
  let committing = 0;
  let batch = 0;

  const attemptOf = (): number =>
    story.suspectEvery > 0 && left.messages % story.suspectEvery === 0 ? 2 : 1;
  const waiting = () => (left.messages === 0 ? null : { attempt: attemptOf() });

  function run(event: ExecutorEvent): void {
    const { state: next, effects } = step(settings, state, event, thread.nowMs);
    state = next;
    for (const [i, effect] of effects.entries()) {
      const isLast = ["execute", "executeMessages"].includes(effect.kind);
      if (isLast) expect(i).toBe(effects.length - 1);
      act(effect);
    }
  }

  function act(effect: ExecutorEffect): void {
    switch (effect.kind) {
      case "take":
        thread.after(story.answerMs, () => {
          batch = Math.min(effect.max, left.transactions);
          run({ kind: "batch", count: batch, coming: story.coming, attempt: 1 });
        });
        break;
      case "setAlarm":
        thread.after(effect.delayMs, () => run({ kind: "alarm", alarm: effect.alarm }));
        break;
      case "open":
        expect(block).toBeNull();
        block = { count: 0, suspects: 0 };
        break;
      case "seal":
        seal(effect.attempt);
        break;
      case "execute":
        execute("transactions", batch, 1);
        break;
      case "executeMessages":
        expect(effect.attempt).toBe(attemptOf());
        execute("messages", effect.attempt > 1 ? 1 : effect.max, effect.attempt);
        break;
      default:
        break;
    }
  }

  function seal(attempt: number): void {
    const { count, suspects } = block ?? expect.unreachable();
    // A transaction that may end the process is alone in its block.
    if (suspects > 0) expect([count, attempt]).toEqual([1, 2]);
    block = null;
    committing++;
    expect(committing).toBeLessThanOrEqual(MAX_UNCOMMITTED_BLOCKS);
    thread.after(story.commitMs * committing, () => {
      committing--;
      run({ kind: "accepted", commitMs: story.commitMs });
    });
    run({ kind: "sealed" });
  }

  function execute(kind: Kind, max: number, attempt: number): void {
    const startedAtMs = thread.nowMs;
    longestMs[kind] = Math.max(longestMs[kind], startedAtMs - lastMs[kind]);
    let full = false;
    for (let i = 0; i < max && left[kind] > 0; i++) {
      const isOver = attemptOf() > 1 || thread.nowMs - startedAtMs >= MESSAGES_MS;
      if (kind === "messages" && i > 0 && isOver) break;
      block ??= { count: 0, suspects: 0 };
      full = block.count >= story.blockSize;
      if (full) break;
      block.count++;
      if (attempt > 1) block.suspects++;
      left[kind]--;
      thread.nowMs += eachMs[kind];
    }
    spentMs[kind] += thread.nowMs - startedAtMs;
    lastMs[kind] = thread.nowMs;
    run({
      kind: "executed",
      startedAtMs,
      isOpen: block !== null,
      transactionCount: block?.count ?? 0,
      full,
      gaveBack: full && kind === "transactions",
      ...(kind === "messages" ? { messages: waiting() } : {}),
    });
  }

  run({ kind: "alarm", alarm: "tick" });
  const first = waiting();
  if (first !== null) run({ kind: "messages", ...first });
  while (thread.nowMs < untilMs && left.messages + left.transactions > 0) thread.next();
  return { left, spentMs, longestMs };
}

test("puts all messages and transactions into blocks, for any order of events", () => {
  const counts = fc.record({ messages: fc.nat(100), transactions: fc.nat(200) });
  assertProperty(
    fc.property(stories, counts, (story, count) => {
      const { left } = simulate(story, { ...count }, 600_000);
      expect(left).toEqual({ messages: 0, transactions: 0 });
    }),
    { numRuns: 200 },
  );
});

test("divides the time between floods of both, and neither starves", () => {
  // As in a node, only the executor is slow.
  const quick = stories.map((story) => ({
    ...story,
    batchSize: 64,
    commitMs: 1,
    answerMs: story.answerMs % 3,
    blockSize: 200,
    suspectEvery: 0,
  }));
  assertProperty(
    fc.property(quick, (story) => {
      const flood = { messages: 1_000_000, transactions: 1_000_000 };
      const { spentMs, longestMs } = simulate(story, flood, 60_000);
      const allMs = spentMs.messages + spentMs.transactions;
      expect(spentMs.transactions / allMs).toBeGreaterThan(0.3);
      // Between batches messages have a turn of that length, unless the block is full before.
      const batchMs = story.batchSize * story.transactionMs;
      const turnMs = Math.min(story.batchSize * story.messageMs, MESSAGES_MS);
      expect(spentMs.messages / allMs).toBeGreaterThan(
        0.5 * (turnMs / (turnMs + Math.max(turnMs, batchMs))),
      );
      expect(longestMs.transactions).toBeLessThan(1_000);
      expect(longestMs.messages).toBeLessThan(2 * batchMs + 1_000);
    }),
    { numRuns: 100 },
  );
});
