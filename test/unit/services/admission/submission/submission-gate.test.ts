import { describe, expect, test } from "bun:test";
import type { SubmitOutcome } from "#services/admission/mempool/index.ts";
import { ACCEPTED, FAILED, LIMITS, occupied, setUp } from "#test/helpers/submission-gate-world.ts";

test("a submission is sent to the validator immediately, and its outcome returned", async () => {
  const { sent, outcomes, submit, answer } = setUp();
  void submit(1n, 7);
  expect(sent.map(({ name }) => name)).toEqual([7]);
  await answer(ACCEPTED);
  expect(outcomes.get(7)).toEqual(ACCEPTED);
});

test("a second outcome of a submission is ignored", async () => {
  const limits = { ...LIMITS, maxDoubtfulCount: 0 };
  const { gate, sent, outcomes, submit, answer } = setUp(limits);
  void submit(1n, 1);
  const id = sent[0]?.id ?? -1;
  await answer(ACCEPTED);
  for (let i = 0; i < 5; i++) gate.settled(id, FAILED);
  while (gate.waiting.count === 0) void submit(2n, 2);
  // A sender with a bad record would be rejected.
  void submit(1n, 3);
  while (sent.length > 0) await answer(ACCEPTED);
  expect(outcomes.get(3)).toEqual(ACCEPTED);
});

test("senders pay the real cost of their submissions, not the estimate", async () => {
  const { sent, submit, answer } = setUp({ ...LIMITS, maxCount: 1000 });
  for (let i = 0; i < 300; i++) for (const sender of [1, 2]) void submit(BigInt(sender), sender);
  let cheap = 0;
  for (let i = 0; i < 200; i++) {
    const isCheap = sent[0]?.name === 1;
    if (i >= 40 && isCheap) cheap++;
    await answer(ACCEPTED, isCheap ? 1 : 3);
  }
  // Three of four turns, of 160.
  expect(cheap).toBeWithin(112, 129);
});

describe("ten senders with always queued submissions of a millisecond each", () => {
  /** Maximum of others between two of sender 1, one of whose submissions costs `costMs`. */
  async function longestWait(costMs: number): Promise<number> {
    const { sent, submit, answer } = setUp({ ...LIMITS, maxCount: 2000 });
    for (let i = 0; i < 100; i++) {
      for (let name = 1; name <= 10; name++) void submit(BigInt(name), name);
    }
    let longest = 0;
    let others = 0;
    for (let i = 0; i < 600; i++) {
      const isOwn = sent[0]?.name === 1;
      await answer(ACCEPTED, isOwn && i >= 100 && i < 110 ? costMs : 1);
      if (i < 100) continue;
      others = isOwn ? 0 : others + 1;
      longest = Math.max(longest, others);
    }
    return longest;
  }

  test("take turns, also when one costs a little more than expected", async () => {
    expect(await longestWait(1)).toBe(9);
    expect(await longestWait(5)).toBeLessThanOrEqual(2 * 9 + 1);
  });

  test("wait for the others' turns after a far more expensive one", async () => {
    // As many milliseconds as it had too much, of each of nine.
    expect(await longestWait(21)).toBeGreaterThan(15 * 9);
  });
});

test("the validator has at most 32 cheap submissions in progress, and fewer expensive ones", async () => {
  const { sent, submit, answer } = setUp({ ...LIMITS, maxCount: 1000 });
  for (let i = 0; i < 500; i++) void submit(BigInt(i), 1);
  expect(sent.length).toBe(25);
  for (let i = 0; i < 100; i++) await answer(ACCEPTED, 0.1);
  expect(sent.length).toBe(32);
  for (let i = 0; i < 100; i++) await answer(ACCEPTED, 100);
  expect(sent.length).toBe(2);
});

test("a validated submission frees its place before its outcome is durable", async () => {
  const { gate, sent, inHand } = await occupied();
  const first = sent[0];
  expect(gate.waiting.count).toBe(1);
  gate.validated(first?.id ?? -1, 1);
  expect(gate.waiting.count).toBe(0);
  expect(sent.length).toBe(inHand + 1);
});

test("a full queue rejects a submission as busy, with a retry time", async () => {
  const { gate, outcomes, submit } = await occupied();
  for (let i = 0; i < 12; i++) void submit(1n, 10 + i);
  await Bun.sleep(0);
  expect(gate.waiting.count).toBe(8);
  expect(outcomes.get(21)).toEqual({
    kind: "rejected",
    code: "UNEXPECTED_ERROR",
    reason: "the node is busy: 8 transactions wait to be validated; try again in 1 s",
    retryAfterSeconds: 1,
  });
  expect(outcomes.get(10)).toBeUndefined();
});

test("a full queue drops the newest submission of the largest sender for a smaller one", async () => {
  const { gate, outcomes, submit } = await occupied();
  for (let i = 0; i < 7; i++) void submit(1n, 10 + i);
  void submit(2n, 30);
  await Bun.sleep(0);
  expect(gate.waiting.count).toBe(8);
  expect([...outcomes.keys()]).toEqual([16]);
});

test("a doubtful sender displaces no better one, and a better one displaces it", async () => {
  const known = (address: bigint) => address !== 5n && address !== 6n;
  const { outcomes, submit } = await occupied(LIMITS, known);
  void submit(5n, 50);
  for (let i = 0; i < 7; i++) void submit(BigInt(10 + i), 10 + i);
  await Bun.sleep(0);
  expect([...outcomes.keys()]).toEqual([50]);
  void submit(6n, 60);
  await Bun.sleep(0);
  expect([...outcomes.keys()]).toEqual([50, 60]);
});

test("doubtful senders share a limited part of the queue", async () => {
  const { gate, outcomes, submit } = await occupied(LIMITS, (address) => address === 1000n);
  for (let i = 0; i < 6; i++) void submit(5n, 50 + i);
  await Bun.sleep(0);
  expect([...outcomes.keys()]).toEqual([54, 55]);
  void submit(6n, 60);
  await Bun.sleep(0);
  expect([...outcomes.keys()]).toEqual([54, 55, 53]);
  // Until both have equally many.
  for (const name of [61, 62]) void submit(6n, name);
  await Bun.sleep(0);
  expect([...outcomes.keys()]).toEqual([54, 55, 53, 52, 62]);
  expect(gate.waiting.count).toBe(5);
});

test("a sender is graded as soon as it is queued, also when nobody else is", async () => {
  const limits = { ...LIMITS, maxDoubtfulCount: 0 };
  const { gate, outcomes, submit, answer } = await occupied(limits, (address) => address === 1000n);
  await answer(ACCEPTED);
  expect(gate.waiting.count).toBe(0);
  void submit(5n, 50);
  await Bun.sleep(0);
  expect(outcomes.get(50)).toMatchObject({ kind: "rejected", retryAfterSeconds: 1 });
});

test("a sender whose validations fail loses queued submissions above its limit", async () => {
  const { sent, outcomes, submit, answer } = setUp();
  for (let i = 0; i < 25 + 8; i++) void submit(1n, 10 + i);
  expect(sent.length).toBe(25);
  await answer(FAILED);
  // Seven are queued after one more was sent; a doubtful sender may have four.
  expect([...outcomes.keys()].toSorted((a, b) => a - b)).toEqual([10, 40, 41, 42]);
  expect(outcomes.get(42)).toMatchObject({ retryAfterSeconds: 1 });
});

test("bytes are bounded: small submissions displace large ones, not the reverse", async () => {
  const { gate, outcomes, submit } = await occupied();
  void submit(1n, 11, 600);
  void submit(1n, 12, 600);
  await Bun.sleep(0);
  expect([...outcomes.keys()]).toEqual([12]);
  void submit(2n, 13, 500);
  await Bun.sleep(0);
  expect([...outcomes.keys()]).toEqual([12, 11]);
  expect(gate.waiting.sizeBytes).toBeLessThanOrEqual(LIMITS.maxSizeBytes);
});

test("the retry time follows from the queue length and the cost", async () => {
  const { outcomes, submit, answer, inHand } = await occupied({ ...LIMITS, maxCount: 10 });
  for (let i = 0; i < 200 + inHand; i++) {
    void submit(1000n, 201);
    await answer(ACCEPTED, 1000);
  }
  for (let i = 0; i < 20; i++) void submit(1n, 10 + i);
  await Bun.sleep(0);
  expect(outcomes.get(29)).toMatchObject({ retryAfterSeconds: 10 });
});

test("a stopped gate rejects queued and new submissions, and still returns the other outcomes", async () => {
  const { gate, outcomes, submit, answer } = await occupied();
  void submit(1n, 11);
  gate.stop();
  void submit(1n, 12);
  await Bun.sleep(0);
  const stopping: SubmitOutcome = {
    kind: "rejected",
    code: "UNEXPECTED_ERROR",
    reason: "the node is stopping",
  };
  expect(outcomes.get(11)).toEqual(stopping);
  expect(outcomes.get(12)).toEqual(stopping);
  await answer(ACCEPTED);
  expect(outcomes.get(200)).toEqual(ACCEPTED);
});

test("after an interrupt the next validator gets the same number in progress", async () => {
  const { gate, sent, submit, inHand } = await occupied({ ...LIMITS, maxCount: 1000 });
  for (let i = 0; i < 2 * inHand; i++) void submit(1n, 10);
  sent.length = 0;
  gate.interrupt({ kind: "rejected", code: "UNEXPECTED_ERROR", reason: "gone" });
  expect(sent).toHaveLength(inHand);
});
