import { describe, expect, test } from "bun:test";
import {
  type HoldableSubmission,
  type SubmitAnswer,
  TakeoverHold,
  type TakeoverHoldLimits,
} from "#services/sync/index.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";

const LIMITS: TakeoverHoldLimits = { maxMs: 15_000, maxCount: 8, maxBytes: 1_000, maxOfSender: 3 };
const UNSENT: SubmitAnswer = { kind: "undecided", reason: "nobody leads", lost: "unsent" };
const UNANSWERED: SubmitAnswer = { kind: "undecided", reason: "it broke", lost: "unanswered" };
const DUPLICATE: SubmitAnswer = { kind: "rejected", code: "DUPLICATE_TX", reason: "it has it" };
const taken = (hash: bigint): SubmitAnswer => ({ kind: "accepted", transactionHash: hash });

/** A sequencer that may be away, and the submissions that reached it. */
function holdWorld(limits: Partial<TakeoverHoldLimits> = {}) {
  const timer = new FakeTimer();
  const counts: number[] = [];
  const hold = new TakeoverHold({
    limits: { ...LIMITS, ...limits },
    onHeld: (count) => counts.push(count),
    timer,
  });
  const world = {
    timer,
    hold,
    counts,
    attempts: [] as bigint[],
    /** The sequencer's response to a hash. */
    answer: (() => UNSENT) as (hash: bigint) => SubmitAnswer | Promise<SubmitAnswer>,
    submit(hash: bigint, more: Partial<HoldableSubmission> = {}): Promise<SubmitAnswer> {
      return hold.run({
        sender: hash,
        nonce: 0n,
        sizeBytes: () => 10,
        hasAccount: () => true,
        attempt() {
          world.attempts.push(hash);
          return Promise.resolve(world.answer(hash));
        },
        refused: (refusal) =>
          Promise.resolve(refusal.code === "DUPLICATE_TX" ? taken(hash) : refusal),
        signal: new AbortController().signal,
        ...more,
      });
    },
    /** Advances time in steps, each followed by pending work. */
    async pass(ms: number): Promise<void> {
      for (let passed = 0; passed < ms; passed += 50) {
        timer.advance(50);
        for (let i = 0; i < 20; i++) await Promise.resolve();
      }
    },
  };
  return world;
}

describe("a takeover hold", () => {
  test("passes on every response of a reachable sequencer, once", async () => {
    const world = holdWorld();
    const busy = {
      kind: "rejected",
      code: "UNEXPECTED_ERROR",
      reason: "busy",
      retryAfterSeconds: 1,
    };
    const wrong: SubmitAnswer = { kind: "undecided", reason: "another hash" };
    for (const answer of [taken(1n), DUPLICATE, busy as SubmitAnswer, wrong]) {
      world.answer = () => answer;
      expect(await world.submit(1n)).toEqual(answer);
    }
    expect([world.attempts.length, world.counts]).toEqual([4, []]);
  });

  test("holds a submission until a sequencer leads", async () => {
    const world = holdWorld();
    const sent = world.submit(1n);
    await world.pass(5_000);
    world.answer = taken;
    await world.pass(500);
    expect(await sent).toEqual(taken(1n));
    expect(world.counts).toEqual([1, 0]);
  });

  test.each([
    ["a submission that reached no sequencer", UNSENT],
    ["a lost response", UNANSWERED],
  ])("accepts a transaction that the next leader already has, after %s", async (_, lost) => {
    const world = holdWorld();
    world.answer = () => lost;
    const sent = world.submit(1n);
    await world.pass(1_000);
    world.answer = () => DUPLICATE;
    await world.pass(500);
    expect(await sent).toEqual(taken(1n));
  });

  test("attempts one submission at a time while no sequencer responds", async () => {
    const world = holdWorld();
    const sent = [1n, 2n, 3n, 4n].map((hash) => world.submit(hash));
    await world.pass(50);
    const later = world.submit(5n);
    world.attempts.length = 0;
    await world.pass(1_000);
    expect(world.attempts).toEqual([1n, 1n, 1n, 1n]);
    world.answer = taken;
    await world.pass(250);
    expect(await Promise.all(sent.concat(later))).toEqual([1n, 2n, 3n, 4n, 5n].map(taken));
  });

  test("attempts the submissions of an account by nonce, each after the previous response", async () => {
    const world = holdWorld();
    const first = world.submit(1n, { sender: 7n, nonce: 1n });
    await world.pass(50);
    const sent = [first, ...[3n, 2n].map((n) => world.submit(n, { sender: 7n, nonce: n }))];
    const open = Promise.withResolvers<SubmitAnswer>();
    world.answer = (hash) => (hash === 2n ? open.promise : taken(hash));
    world.attempts.length = 0;
    await world.pass(1_000);
    expect(world.attempts).toEqual([1n, 2n]);
    const direct = world.submit(4n, { sender: 7n, nonce: 4n }).catch(() => undefined);
    await world.pass(500);
    expect(world.attempts).toEqual([1n, 2n]);
    open.resolve(taken(2n));
    await world.pass(250);
    await Promise.all([...sent, direct]);
    expect(world.attempts).toEqual([1n, 2n, 3n, 4n]);
  });

  test("continues to hold if the next leader is lost as well", async () => {
    const world = holdWorld();
    const sent = [1n, 2n].map((hash) => world.submit(hash));
    await world.pass(50);
    world.answer = (hash) => (hash === 1n ? taken(1n) : UNANSWERED);
    await world.pass(1_000);
    expect(world.counts.at(-1)).toBe(1);
    world.answer = taken;
    await world.pass(500);
    expect(await Promise.all(sent)).toEqual([taken(1n), taken(2n)]);
  });

  test("passes on a rejection of the next leader", async () => {
    const world = holdWorld();
    const sent = world.submit(1n);
    await world.pass(50);
    const refusal: SubmitAnswer = { kind: "rejected", code: "VALIDATION_FAILURE", reason: "no" };
    world.answer = () => refusal;
    await world.pass(250);
    expect(await sent).toEqual(refusal);
  });

  test("rejects with the error of an attempt", async () => {
    const world = holdWorld();
    const sent = world.submit(1n).catch(String);
    await world.pass(50);
    world.answer = () => Promise.reject(new TypeError("broken"));
    await world.pass(250);
    expect(await sent).toBe("TypeError: broken");
    expect(world.counts.at(-1)).toBe(0);
  });
});

describe("an undecided held submission", () => {
  test("is rejected after the deadline with the reason and a retry delay", async () => {
    const world = holdWorld();
    const unsent = world.submit(1n);
    await world.pass(15_000);
    expect(await unsent).toEqual({
      kind: "rejected",
      code: "UNEXPECTED_ERROR",
      reason: "no sequencer took the transaction within 15 s: nobody leads: try again in 2 s",
      retryAfterSeconds: 2,
    });
    expect(world.counts).toEqual([1, 0]);
  });

  test.each([
    ["was lost in transit", UNANSWERED],
    ["is in flight to a sequencer that hangs", new Promise<SubmitAnswer>(() => undefined)],
  ])("is reported as undecided when it %s", async (_, second) => {
    const world = holdWorld();
    const sent = world.submit(1n);
    await world.pass(50);
    world.answer = () => second;
    await world.pass(15_000);
    expect(await sent).toMatchObject({
      kind: "undecided",
      reason: expect.stringMatching(/not known: send it again in 2 s/),
    });
  });

  test("is rejected immediately if holding is disabled", async () => {
    const world = holdWorld({ maxMs: 0 });
    expect(await world.submit(1n)).toMatchObject({ kind: "rejected", retryAfterSeconds: 2 });
    expect(await world.submit(1n)).toMatchObject({ kind: "rejected", retryAfterSeconds: 2 });
    expect(world.attempts).toEqual([1n, 1n]);
  });

  test("is rejected when the node stops, like later ones", async () => {
    const world = holdWorld();
    const sent = world.submit(1n);
    await world.pass(50);
    world.hold.stop();
    expect(await sent).toMatchObject({ reason: "the node is stopping: try again in 2 s" });
    expect(await world.submit(2n)).toMatchObject({ kind: "rejected", retryAfterSeconds: 2 });
    expect(world.timer.alarms).toBe(0);
  });

  test("frees its slot when the client disconnects", async () => {
    const world = holdWorld({ maxCount: 1 });
    const client = new AbortController();
    const sent = world.submit(1n, { signal: client.signal });
    await world.pass(50);
    client.abort();
    await sent;
    expect(world.counts).toEqual([1, 0]);
    const gone = world.submit(2n, { signal: client.signal });
    await gone;
    const next = world.submit(3n);
    await world.pass(50);
    world.answer = taken;
    await world.pass(500);
    expect(await next).toEqual(taken(3n));
    expect(world.attempts).not.toContain(2n);
  });
});

describe("held submissions", () => {
  const full = { kind: "rejected", retryAfterSeconds: 2 };

  test("are limited in number", async () => {
    const world = holdWorld();
    for (let hash = 0n; hash < 8n; hash++) void world.submit(hash);
    await world.pass(50);
    expect(await world.submit(8n)).toMatchObject(full);
    expect(world.counts.at(-1)).toBe(8);
  });

  test("are limited in bytes", async () => {
    const world = holdWorld();
    void world.submit(1n, { sizeBytes: () => 600 });
    await world.pass(50);
    expect(await world.submit(2n, { sizeBytes: () => 401 })).toMatchObject(full);
    void world.submit(3n, { sizeBytes: () => 400 });
    await world.pass(50);
    expect(world.counts.at(-1)).toBe(2);
  });

  test("are limited per account", async () => {
    const world = holdWorld();
    for (let nonce = 0n; nonce < 3n; nonce++) void world.submit(nonce, { sender: 7n, nonce });
    await world.pass(50);
    expect(await world.submit(4n, { sender: 7n, nonce: 4n })).toMatchObject(full);
    void world.submit(5n);
    await world.pass(50);
    expect(world.counts.at(-1)).toBe(4);
  });

  test("leave half of the capacity to senders that have an account", async () => {
    const world = holdWorld();
    const stranger = { hasAccount: () => false };
    for (let hash = 0n; hash < 4n; hash++) void world.submit(hash, stranger);
    await world.pass(50);
    expect(await world.submit(4n, stranger)).toMatchObject(full);
    for (let hash = 5n; hash < 9n; hash++) void world.submit(hash);
    await world.pass(50);
    expect(world.counts.at(-1)).toBe(8);
  });
});
